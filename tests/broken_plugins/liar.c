/* This plugin loads, but its layer reports nonsense. The option "filters" selects which. */
#include "layer.h"

static int64_t lie; /* tests have one object at a time */

static sluice_status liar_create(const sluice_host* host, const sluice_value* options, void** self,
                                 sluice_error* error) {
    (void)host, (void)error;
    for (uint64_t i = 0; i < options->count; ++i) {
        if (options->as.pairs[i].key.len == strlen("filters") &&
            memcmp(options->as.pairs[i].key.ptr, "filters", strlen("filters")) == 0) {
            lie = options->as.pairs[i].value.as.i;
        }
    }
    *self = &lie;
    return SLUICE_OK;
}

static sluice_status liar_infer(void* self, const sluice_tensor_spec* inputs, uint32_t count,
                                const sluice_layer_sink* sink, sluice_error* error) {
    sluice_tensor_spec spec = inputs[0];
    sluice_parameter parameter = {SLUICE_TEXT("kernel"), spec, SLUICE_INIT_ZEROS, 0, 0.0, 0, 0};
    (void)self, (void)count;
    switch (lie) {
        case 1:
            spec.rank = 12;
            sink->add_output(sink, &spec);
            return SLUICE_OK;
        case 2:
            spec.dtype.bits = 7;
            sink->add_output(sink, &spec);
            return SLUICE_OK;
        case 3:
            sink->add_output(sink, &spec);
            sink->add_parameter(sink, &parameter);
            sink->add_parameter(sink, &parameter);
            return SLUICE_OK;
        case 4:
            return SLUICE_OK; /* no output */
        case 5:
            spec.shape[0] = INT64_MAX;
            sink->add_output(sink, &spec);
            return SLUICE_FAILED; /* the sink's own reason must win */
        case 6:
            strcpy(error->message, "a status from the future");
            return 4711;
        case 8:
            parameter.reserved = 1;
            sink->add_output(sink, &spec);
            sink->add_parameter(sink, &parameter);
            return SLUICE_OK;
        default:
            strcpy(error->message, "the input is wrong");
            return SLUICE_INVALID;
    }
}

static sluice_status liar_traits(void* self, sluice_layer_traits* traits, sluice_error* error) {
    sluice_status status = layer_traits(self, traits, error);
    if (lie == 9) {
        traits->reserved = 4;
    } else if (lie == 10) {
        traits->max_inputs = 65;
    } else if (lie == 11) {
        traits->colour = 4;
    } else if (lie == 12) {
        traits->flags |= 1U << 20;
    } else if (lie == 13) {
        traits->label_classes = -5;
    }
    return status;
}

static const sluice_layer layer = {liar_create, layer_destroy, liar_traits, liar_infer, NULL};
BROKEN_PLUGIN("liar", SLUICE_ABI_MAJOR, 2, NULL)
