/* The layer type `example`, y = x * sigmoid(steepness * x), and its kernels for the CPU. */
#include <math.h>
#include <stdlib.h>

#include "sluice/kind/kernel.h"
#include "sluice/kind/layer.h"
#include "sluice/sdk/c.h"

/* The layer type has shapes and options, no arithmetic. It has no state, so it has no object. */

static sluice_status layer_traits(void* self, sluice_layer_traits* traits, sluice_error* error) {
    (void)self, (void)error;
    traits->role = SLUICE_ROLE_LAYER;
    traits->colour = SLUICE_COLOUR_INFER;
    traits->min_inputs = traits->max_inputs = 1;
    return SLUICE_OK;
}

static sluice_status layer_infer(void* self, const sluice_tensor_spec* inputs, uint32_t count,
                                 const sluice_layer_sink* sink, sluice_error* error) {
    (void)self;
    if (count != 1) {
        return SLUICE_FAIL(error, SLUICE_INVALID, "example has %u inputs; it takes 1", count);
    }
    if (inputs[0].dtype.code != SLUICE_CODE_FLOAT && inputs[0].dtype.code != SLUICE_CODE_BFLOAT) {
        return SLUICE_FAIL(error, SLUICE_INVALID, "example: the input should be of floating-point numbers");
    }
    sink->add_output(sink, &inputs[0]); /* same shape and type as the input */
    return SLUICE_OK;
}

static const sluice_layer layer = {sluice_no_object, sluice_drop_nothing, layer_traits, layer_infer, NULL};

/* The kernels: float32 to train, float64 for `sluice check`, which compares it with finite differences. */

struct kernel {
    int64_t count;    /* elements */
    double steepness; /* the layer's option */
    int is_wide;      /* float64 */
    int adds;         /* the gradient is added to the memory's contents */
};

static sluice_status kernels_create(const sluice_host* host, const sluice_value* options, sluice_device_ref device,
                                    void** self, sluice_error* error) {
    (void)host, (void)options, (void)device, (void)error;
    *self = NULL;
    return SLUICE_OK;
}

static sluice_status kernels_supports(void* self, const sluice_node* const* chain, uint32_t count,
                                      sluice_error* error) {
    const uint32_t known = SLUICE_NODE_TRAIN | SLUICE_NODE_DETERMINISTIC;
    uint8_t bits;
    (void)self;
    if (count != 1 || !sluice_text_is(chain[0]->type, "example") || (chain[0]->flags & ~known) != 0) {
        return SLUICE_FAIL(error, SLUICE_UNSUPPORTED, "only example by itself");
    }
    bits = chain[0]->compute.bits;
    if ((bits != 32 && bits != 64) || !sluice_dtype_is(chain[0]->compute, SLUICE_CODE_FLOAT, bits) ||
        !sluice_dtype_is(chain[0]->inputs[0].dtype, SLUICE_CODE_FLOAT, bits)) {
        return SLUICE_FAIL(error, SLUICE_UNSUPPORTED, "only float32 and float64");
    }
    return SLUICE_OK;
}

static sluice_status kernels_plan(void* self, const sluice_node* const* chain, uint32_t count,
                                  const sluice_kernel_sink* sink, void** made, sluice_error* error) {
    const sluice_node* node = chain[0];
    struct kernel* kernel = malloc(sizeof(*kernel));
    (void)self, (void)count;
    if (kernel == NULL) {
        return SLUICE_FAIL(error, SLUICE_NO_MEMORY, "no memory for a kernel");
    }
    kernel->count = sluice_element_count(node->inputs[0].shape, node->inputs[0].rank);
    kernel->steepness = sluice_number_option(node->options, "steepness");
    kernel->is_wide = node->inputs[0].dtype.bits == 64;
    kernel->adds = (node->accumulated_gradients & 1) != 0;
    sink->backward_reads_input(sink, 0); /* otherwise it may be overwritten before */
    *made = kernel;
    return SLUICE_OK;
}

static void kernels_release(void* self, void* kernel) {
    (void)self;
    free(kernel);
}

struct work { /* arguments of one call */
    struct kernel kernel;
    const void *x, *dy;
    void *y, *dx;
};

static void forward_piece(void* context, int64_t begin, int64_t end, uint32_t piece) {
    const struct work* work = context;
    const struct kernel kernel = work->kernel;
    int64_t i;
    (void)piece;
    for (i = begin; i < end; ++i) {
        const double x = sluice_number_at(work->x, kernel.is_wide, i);
        sluice_set_number(work->y, kernel.is_wide, i, x / (1.0 + exp(-kernel.steepness * x)));
    }
}

static void backward_piece(void* context, int64_t begin, int64_t end, uint32_t piece) {
    const struct work* work = context;
    const struct kernel kernel = work->kernel;
    int64_t i;
    (void)piece;
    for (i = begin; i < end; ++i) {
        const double steep_x = kernel.steepness * sluice_number_at(work->x, kernel.is_wide, i);
        const double sigmoid = 1.0 / (1.0 + exp(-steep_x));
        const double slope = sigmoid * (1.0 + steep_x * (1.0 - sigmoid));
        const double before = kernel.adds ? sluice_number_at(work->dx, kernel.is_wide, i) : 0.0;
        const double dy = sluice_number_at(work->dy, kernel.is_wide, i);
        sluice_set_number(work->dx, kernel.is_wide, i, before + slope * dy);
    }
}

enum { GRAIN = 4096 }; /* elements that are worth a thread of their own */

static sluice_status kernel_forward(void* self, const sluice_launch* launch, sluice_error* error) {
    const struct kernel* kernel = self;
    struct work work = {*kernel, launch->inputs[0], NULL, launch->outputs[0], NULL};
    (void)error;
    launch->threads->parallel_for(launch->threads, kernel->count, GRAIN, forward_piece, &work);
    return SLUICE_OK;
}

static sluice_status kernel_backward(void* self, const sluice_launch* launch, sluice_error* error) {
    const struct kernel* kernel = self;
    struct work work = {*kernel, launch->inputs[0], launch->output_gradients[0], NULL, launch->input_gradients[0]};
    (void)error;
    if (work.dx != NULL) { /* the gradient is wanted */
        launch->threads->parallel_for(launch->threads, kernel->count, GRAIN, backward_piece, &work);
    }
    return SLUICE_OK;
}

static const sluice_kernel kernels = {kernels_create,  sluice_drop_nothing, kernels_supports, kernels_plan,
                                      kernels_release, kernel_forward,      kernel_backward};

SLUICE_SERVE(get_layer, SLUICE_LAYER_V1, layer)
SLUICE_SERVE(get_kernels, SLUICE_KERNEL_V1, kernels)

static const sluice_component components[] = {{SLUICE_TEXT("com.acme.layer.example"), get_layer},
                                              {SLUICE_TEXT("com.acme.kernel.example"), get_kernels}};

SLUICE_DEFINE_PLUGIN(components)
