/* Metrics that compute the mean of all elements. */
#include "plain_objects.h"
#include "sluice/kind/layer.h"

static sluice_status tell_traits(void* self, sluice_layer_traits* traits, sluice_error* error) {
    (void)self, (void)error;
    traits->role = SLUICE_ROLE_METRIC;
    traits->min_inputs = 1;
    traits->max_inputs = 1;
    return SLUICE_OK;
}

static sluice_status infer(void* self, const sluice_tensor_spec* inputs, uint32_t count, const sluice_layer_sink* sink,
                           sluice_error* error) {
    const sluice_tensor_spec sums = {{inputs[0].shape[0], 2}, 2, {SLUICE_CODE_FLOAT, 32, 1}};
    (void)self, (void)count;
    if (inputs[0].rank < 1) {
        return fail(error, SLUICE_INVALID, "an input with samples is needed");
    }
    sink->add_output(sink, &sums);
    return SLUICE_OK;
}

static sluice_status finalize(void* self, const double* sums, uint32_t count, double* value, sluice_error* error) {
    const struct object* metric = self;
    (void)count;
    if (sums[1] == 0.0 && metric->fault == FAULT_needs_samples) {
        abort();
    }
    if (sums[1] == 0.0) {
        return fail(error, SLUICE_INVALID, "there is no sample");
    }
    *value = sums[0] / sums[1];
    return SLUICE_OK;
}

static const sluice_layer table = {create, destroy, tell_traits, infer, finalize};
FAULTY_PLUGIN(SLUICE_LAYER_V1, table)
