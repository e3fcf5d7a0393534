/* Kernels by the name of `example`, for an existing layer type: relu in float32. */
#include <stdlib.h>

#include "sluice/kind/kernel.h"
#include "sluice/sdk/c.h"

struct kernel {
    int64_t count; /* elements */
    int adds;      /* the gradient is added to the memory's contents */
};

static sluice_status create(const sluice_host* host, const sluice_value* options, sluice_device_ref device, void** self,
                            sluice_error* error) {
    (void)host, (void)options, (void)device, (void)error;
    *self = NULL; /* it has no state */
    return SLUICE_OK;
}

static sluice_status supports(void* self, const sluice_node* const* chain, uint32_t count, sluice_error* error) {
    const uint32_t known = SLUICE_NODE_TRAIN | SLUICE_NODE_DETERMINISTIC;
    (void)self;
    if (count != 1 || !sluice_text_is(chain[0]->type, "relu") || (chain[0]->flags & ~known) != 0) {
        return SLUICE_FAIL(error, SLUICE_UNSUPPORTED, "only relu by itself");
    }
    if (!sluice_dtype_is(chain[0]->inputs[0].dtype, SLUICE_CODE_FLOAT, 32) ||
        !sluice_dtype_is(chain[0]->compute, SLUICE_CODE_FLOAT, 32)) {
        return SLUICE_FAIL(error, SLUICE_UNSUPPORTED, "only float32");
    }
    return SLUICE_OK;
}

static sluice_status plan(void* self, const sluice_node* const* chain, uint32_t count, const sluice_kernel_sink* sink,
                          void** made, sluice_error* error) {
    struct kernel* kernel = malloc(sizeof(*kernel));
    (void)self, (void)count;
    if (kernel == NULL) {
        return SLUICE_FAIL(error, SLUICE_NO_MEMORY, "no memory for a kernel");
    }
    kernel->count = sluice_element_count(chain[0]->inputs[0].shape, chain[0]->inputs[0].rank);
    kernel->adds = (chain[0]->accumulated_gradients & 1) != 0;
    sink->backward_reads_output(sink, 0); /* otherwise it may be overwritten before */
    *made = kernel;
    return SLUICE_OK;
}

static void release(void* self, void* kernel) {
    (void)self;
    free(kernel);
}

struct work {
    const float *x, *dy;
    float *y, *dx;
    int adds;
};

static void forward_piece(void* context, int64_t begin, int64_t end, uint32_t piece) {
    const struct work* work = context;
    int64_t i;
    (void)piece;
    for (i = begin; i < end; ++i) {
        work->y[i] = work->x[i] < 0.0F ? 0.0F : work->x[i]; /* NaN stays NaN */
    }
}

static void backward_piece(void* context, int64_t begin, int64_t end, uint32_t piece) {
    const struct work* work = context;
    int64_t i;
    (void)piece;
    for (i = begin; i < end; ++i) {
        const float slope = work->y[i] > 0.0F ? work->dy[i] : 0.0F;
        work->dx[i] = (work->adds ? work->dx[i] : 0.0F) + slope;
    }
}

enum { GRAIN = 16384 }; /* elements that are worth a thread of their own */

static sluice_status forward(void* self, const sluice_launch* launch, sluice_error* error) {
    const struct kernel* kernel = self;
    struct work work = {launch->inputs[0], NULL, launch->outputs[0], NULL, 0};
    (void)error;
    launch->threads->parallel_for(launch->threads, kernel->count, GRAIN, forward_piece, &work);
    return SLUICE_OK;
}

static sluice_status backward(void* self, const sluice_launch* launch, sluice_error* error) {
    const struct kernel* kernel = self;
    struct work work = {NULL, launch->output_gradients[0], launch->outputs[0], launch->input_gradients[0],
                        kernel->adds};
    (void)error;
    if (work.dx != NULL) { /* the gradient is wanted */
        launch->threads->parallel_for(launch->threads, kernel->count, GRAIN, backward_piece, &work);
    }
    return SLUICE_OK;
}

static const sluice_kernel kernels = {create, sluice_drop_nothing, supports, plan, release, forward, backward};

SLUICE_SERVE(get, SLUICE_KERNEL_V1, kernels)

static const sluice_component components[] = {{SLUICE_TEXT("com.acme.kernel.example"), get}};

SLUICE_DEFINE_PLUGIN(components)
