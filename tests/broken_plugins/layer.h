/* The simplest layer, for plugins that are wrong elsewhere: its output is its input. */
#ifndef BROKEN_LAYER_H
#define BROKEN_LAYER_H

#include <string.h>

#include "sluice/kind/layer.h"
#include "sluice/plugin.h"

static inline sluice_status layer_create(const sluice_host* host, const sluice_value* options, void** self,
                                         sluice_error* error) {
    (void)host, (void)options, (void)error;
    *self = NULL; /* the layer has no state */
    return SLUICE_OK;
}
static inline void layer_destroy(void* self) { (void)self; }
static inline sluice_status layer_traits(void* self, sluice_layer_traits* traits, sluice_error* error) {
    (void)self, (void)error;
    traits->min_inputs = 1;
    traits->max_inputs = 1;
    return SLUICE_OK;
}
static inline sluice_status layer_infer(void* self, const sluice_tensor_spec* inputs, uint32_t count,
                                        const sluice_layer_sink* sink, sluice_error* error) {
    (void)self, (void)count, (void)error;
    sink->add_output(sink, &inputs[0]);
    sink->set_flops(sink, 7.0);
    return SLUICE_OK;
}

#define BROKEN_LAYER \
    { layer_create, layer_destroy, layer_traits, layer_infer, NULL }

/* Defines the table of a plugin; `count` says how many of its two components it has. */
#define BROKEN_PLUGIN(name, abi_major, count, open)                                                \
    static const void* get(const sluice_component* self, const char* id) {                         \
        (void)self;                                                                                \
        return strcmp(id, SLUICE_LAYER_V1) == 0 ? &layer : NULL;                                   \
    }                                                                                              \
    static const sluice_component components[] = {{SLUICE_TEXT("test." name ".layer"), get},       \
                                                  {SLUICE_TEXT("test." name ".teleporter"), get}}; \
    SLUICE_EXPORT const sluice_plugin sluice_plugin_v1 = {abi_major, 0, count, 0, components, open, NULL};

#endif
