/* Kernel providers for a layer type of their own, y = x * x / 2, only in float32. No other provider computes it, so
 * `host check` has no results to compare with. */
#include "sluice/kind/kernel.h"

#define MORE_COMPONENTS {SLUICE_TEXT("test.broken.layer.half_square"), get_layer},
#include "faults.h"
#include "sluice/kind/layer.h"

struct provider {
    enum fault fault;
};
struct kernel {
    enum fault fault;
    int64_t count;
    int adds;
    int is_second; /* true for every other plan */
};
static int plans;
static struct kernel shared_kernel; /* used by all plans of FAULT_shares_its_kernel */

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

static sluice_status create_layer(const sluice_host* host, const sluice_value* options, void** self,
                                  sluice_error* error) {
    (void)host, (void)options, (void)error;
    *self = NULL;
    return SLUICE_OK;
}

static sluice_status create(const sluice_host* host, const sluice_value* options, sluice_device_ref device, void** self,
                            sluice_error* error) {
    struct provider* provider = calloc(1, sizeof(*provider));
    (void)host, (void)device;
    if (provider == NULL) {
        return fail(error, SLUICE_NO_MEMORY, "no memory for kernels");
    }
    provider->fault = fault_of(options);
    *self = provider;
    return SLUICE_OK;
}

static void destroy(void* self) { free(self); }

static int is_of_type(const sluice_node* node, const char* type) {
    return node->type.len == strlen(type) && memcmp(node->type.ptr, type, node->type.len) == 0;
}

/* True if the provider claims the layers after the first one. */
static int takes_rest(enum fault fault, const sluice_node* const* chain, uint32_t count) {
    return count == 1 || fault == FAULT_takes_any_chain ||
           (fault == FAULT_forgets_the_rest && count == 2 && is_of_type(chain[1], "batch_norm"));
}

static sluice_status supports(void* self, const sluice_node* const* chain, uint32_t count, sluice_error* error) {
    const sluice_node* node = chain[0];
    const struct provider* provider = self;
    const uint32_t known = SLUICE_NODE_TRAIN | SLUICE_NODE_DETERMINISTIC;
    if (!takes_rest(provider->fault, chain, count) || !is_of_type(node, "half_square") ||
        ((node->flags & ~known) != 0 && provider->fault != FAULT_takes_any_flag) ||
        node->compute.code != SLUICE_CODE_FLOAT || node->compute.bits != 32 ||
        node->inputs[0].dtype.code != SLUICE_CODE_FLOAT || node->inputs[0].dtype.bits != 32) {
        return fail(error, SLUICE_UNSUPPORTED, "only half_square in float32");
    }
    return SLUICE_OK;
}

static sluice_status plan(void* self, const sluice_node* const* chain, uint32_t count, const sluice_kernel_sink* sink,
                          void** made, sluice_error* error) {
    const struct provider* provider = self;
    struct kernel* kernel = provider->fault == FAULT_shares_its_kernel ? &shared_kernel : calloc(1, sizeof(*kernel));
    int32_t axis;
    (void)count;
    if (kernel == NULL && provider->fault != FAULT_takes_memory_for_granted) {
        return fail(error, SLUICE_NO_MEMORY, "no memory for a kernel");
    }
    kernel->fault = provider->fault;
    kernel->is_second = provider->fault == FAULT_alternates && (plans++ & 1) != 0;
    kernel->count = 1;
    for (axis = 0; axis < chain[0]->inputs[0].rank; ++axis) {
        kernel->count *= chain[0]->inputs[0].shape[axis];
    }
    if (provider->fault == FAULT_computes_whole_vectors) {
        kernel->count = kernel->count / 4 * 4;
    }
    kernel->adds = (chain[0]->accumulated_gradients & 1) != 0;
    sink->backward_reads_input(sink, 0);
    *made = kernel;
    return SLUICE_OK;
}

static void release(void* self, void* kernel) {
    const struct provider* provider = self;
    if (kernel != &shared_kernel && provider->fault != FAULT_keeps_its_kernels) {
        free(kernel);
    }
}

struct work {
    const struct kernel* kernel;
    const float *x, *dy;
    float *y, *dx;
};

static void forward_piece(void* context, int64_t begin, int64_t end, uint32_t piece) {
    const struct work* work = context;
    const int64_t first = work->kernel->fault == FAULT_ignores_where_pieces_begin ? 0 : begin;
    int64_t i;
    (void)piece;
    for (i = first; i < first + end - begin; ++i) {
        const float half = work->kernel->is_second ? 0.5000001f : 0.5f;
        work->y[i] = work->kernel->fault == FAULT_forgets_the_end && i > 5000 ? 0.0f : half * work->x[i] * work->x[i];
    }
}

static void backward_piece(void* context, int64_t begin, int64_t end, uint32_t piece) {
    const struct work* work = context;
    int64_t i;
    (void)piece;
    for (i = begin; i < end; ++i) {
        const float slope = work->kernel->fault == FAULT_has_a_wrong_slope ? 1.05f * work->x[i] : work->x[i];
        work->dx[i] = (work->kernel->adds ? work->dx[i] : 0.0f) + slope * work->dy[i];
    }
}

static sluice_status forward(void* self, const sluice_launch* launch, sluice_error* error) {
    struct work work = {self, launch->inputs[0], NULL, launch->outputs[0], NULL};
    (void)error;
    launch->threads->parallel_for(launch->threads, work.kernel->count, 4096, forward_piece, &work);
    return SLUICE_OK;
}

static sluice_status backward(void* self, const sluice_launch* launch, sluice_error* error) {
    struct work work = {self, launch->inputs[0], launch->output_gradients[0], NULL, launch->input_gradients[0]};
    (void)error;
    if (work.dx != NULL) {
        launch->threads->parallel_for(launch->threads, work.kernel->count, 4096, backward_piece, &work);
    }
    return SLUICE_OK;
}

static const sluice_layer layer = {create_layer, destroy, tell_traits, infer, NULL};
static const sluice_kernel table = {create, destroy, supports, plan, release, forward, backward};

static const void* get_layer(const sluice_component* self, const char* id) {
    (void)self;
    return strcmp(id, SLUICE_LAYER_V1) == 0 ? &layer : NULL;
}

FAULTY_PLUGIN(SLUICE_KERNEL_V1, table)
