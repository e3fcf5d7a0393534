/* Layers whose output is their input. */
#include "sluice/kind/layer.h"
#include "faults.h"

struct layer {
    enum fault fault;
    int64_t most;
};

static sluice_status create(const sluice_host* host, const sluice_value* options, void** self, sluice_error* error) {
    struct layer* layer = calloc(1, sizeof(*layer));
    (void)host, (void)error;
    if (layer == NULL) {
        return fail(error, SLUICE_NO_MEMORY, "no memory for an object");
    }
    layer->fault = fault_of(options);
    *self = layer;
    return SLUICE_OK;
}

static void destroy(void* self) { free(self); }

static sluice_status tell_traits(void* self, sluice_layer_traits* traits, sluice_error* error) {
    const struct layer* layer = self;
    (void)error;
    traits->min_inputs = 1;
    traits->max_inputs = 1;
    if (layer->fault == FAULT_zeroes_what_it_does_not_know) {
        memset(traits + 1, 0, traits->struct_size - sizeof(*traits));
    }
    return SLUICE_OK;
}

static sluice_status infer(void* self, const sluice_tensor_spec* inputs, uint32_t count, const sluice_layer_sink* sink,
                           sluice_error* error) {
    struct layer* layer = self;
    sluice_tensor_spec spec = inputs[0];
    (void)count;
    if (spec.rank < 1) {
        return fail(error, SLUICE_INVALID, "an input with samples is needed");
    }
    if (layer->fault == FAULT_divides_by_an_extent && spec.shape[0] % spec.shape[spec.rank - 1] == 1234567) {
        return fail(error, SLUICE_INVALID, "this one does not fit");
    }
    if (layer->fault == FAULT_remembers) {
        layer->most = spec.shape[0] > layer->most ? spec.shape[0] : layer->most;
        spec.shape[0] = layer->most;
    }
    if (layer->fault == FAULT_says_nothing && spec.rank > 4) {
        return SLUICE_INVALID;
    }
    sink->add_output(sink, &spec);
    return SLUICE_OK;
}

static const sluice_layer table = {create, destroy, tell_traits, infer, NULL};
FAULTY_PLUGIN(SLUICE_LAYER_V1, table)
