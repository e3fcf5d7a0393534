/* Kernels that copy their input. */
#include "faults.h"
#include "sluice/kind/kernel.h"

struct provider {
    enum fault fault;
    const sluice_host* host;
};

static sluice_status create(const sluice_host* host, const sluice_value* options, sluice_device_ref device, void** self,
                            sluice_error* error) {
    struct provider* provider = calloc(1, sizeof(*provider));
    (void)device, (void)error;
    provider->fault = fault_of(options);
    provider->host = host;
    *self = provider;
    return SLUICE_OK;
}

static void destroy(void* self) { free(self); }

static sluice_status supports(void* self, const sluice_node* const* chain, uint32_t count, sluice_error* error) {
    const struct provider* provider = self;
    (void)chain, (void)count;
    if (provider->fault == FAULT_logs_in_supports) {
        const sluice_log* log = provider->host->get(provider->host, SLUICE_LOG_V1);
        const sluice_text text = SLUICE_TEXT("I am asked");
        log->write(provider->host, SLUICE_LOG_DEBUG, text);
    }
    return count == 1 ? SLUICE_OK : fail(error, SLUICE_UNSUPPORTED, "no chains");
}

static sluice_status plan(void* self, const sluice_node* const* chain, uint32_t count, const sluice_kernel_sink* sink,
                          void** kernel, sluice_error* error) {
    (void)chain, (void)count, (void)sink, (void)error;
    *kernel = self;
    return SLUICE_OK;
}

static void release(void* self, void* kernel) { (void)self, (void)kernel; }

static void nothing(void* context, int64_t begin, int64_t end, uint32_t piece) {
    (void)context, (void)begin, (void)end, (void)piece;
}

static void once_more(void* context, int64_t begin, int64_t end, uint32_t piece) {
    const sluice_threads* threads = context;
    (void)begin, (void)end;
    if (piece == 0) {
        threads->parallel_for(threads, 1, 1, nothing, NULL);
    }
}

static sluice_status forward(void* kernel, const sluice_launch* launch, sluice_error* error) {
    const struct provider* provider = kernel;
    (void)error;
    if (launch->threads != NULL) {
        launch->threads->parallel_for(launch->threads, 1, 1, provider->fault == FAULT_nests ? once_more : nothing,
                                      (void*)(uintptr_t)launch->threads);
    }
    return SLUICE_OK;
}

static const sluice_kernel table = {create, destroy, supports, plan, release, forward, forward};
FAULTY_PLUGIN(SLUICE_KERNEL_V1, table)
