/* Layers of a plugin that starts a thread in open() and does not stop it at close(). */
#include <pthread.h>

#define FAULTY_OPEN open_plugin
#include "plain_objects.h"
#include "sluice/kind/layer.h"

static void* wait_for_ever(void* nothing) {
    for (;;) {
        pause();
    }
    return nothing;
}

static sluice_status open_plugin(const sluice_host* host, sluice_error* error) {
    pthread_t thread;
    (void)host;
    return pthread_create(&thread, NULL, wait_for_ever, NULL) == 0 ? SLUICE_OK
                                                                   : fail(error, SLUICE_FAILED, "no thread starts");
}

static sluice_status tell_traits(void* self, sluice_layer_traits* traits, sluice_error* error) {
    (void)self, (void)error;
    traits->min_inputs = 1;
    traits->max_inputs = 1;
    return SLUICE_OK;
}

static sluice_status infer(void* self, const sluice_tensor_spec* inputs, uint32_t count, const sluice_layer_sink* sink,
                           sluice_error* error) {
    (void)self, (void)count, (void)error;
    sink->add_output(sink, &inputs[0]);
    return SLUICE_OK;
}

static const sluice_layer table = {create, destroy, tell_traits, infer, NULL};
FAULTY_PLUGIN(SLUICE_LAYER_V1, table)
