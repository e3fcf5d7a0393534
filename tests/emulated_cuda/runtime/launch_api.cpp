// Enqueues kernels on streams. SLUICE_EMULATED_CUDA_RECORDS=N: a capture that has N pieces of work refuses a kernel.
// SLUICE_EMULATED_CUDA_RECORDS_ON=N: only on GPU N.
#include <limits>

#include "figures.hpp"
#include "grid.hpp"
#include "machine.hpp"
#include "symbol_name.hpp"

namespace emulated {
namespace {

// Pointers must be NULL or point to device or pinned memory, because the GPU cannot reach other memory of the host.
void expect_reachable(const Machine& gpu, const void* kernel, std::initializer_list<const void*> pointers) {
    std::size_t number = 0;
    for (const void* const pointer : pointers) {
        if (pointer != nullptr && gpu.memory.describe(pointer).empty() && !gpu.memory.is_pinned(pointer)) {
            fail(cudaErrorIllegalAddress, "kernel " + symbol_name(kernel) + ": argument " + std::to_string(number) +
                                              " points neither to device memory nor to pinned memory");
        }
        ++number;
    }
}

void expect_recordable(const Machine& gpu, const Stream& stream, const void* kernel) {
    static const auto most = static_cast<std::size_t>(figure("RECORDS", std::numeric_limits<int>::max()));
    static const int only = figure("RECORDS_ON", -1);
    if (stream.recording && stream.recording->graph.nodes.size() >= most && (only < 0 || only == stream.device)) {
        gpu.forbid_while_capturing("kernel " + symbol_name(kernel) + " cannot be launched");
    }
}

}  // namespace

cudaError_t launch(const cudaLaunchConfig_t& config, const void* kernel, SharedMemory shared_memory,
                   std::function<void()> thread, std::initializer_list<const void*> pointers) {
    return entry([&](Machine& gpu) {
        if (config.dynamicSmemBytes != 0 || config.numAttrs != 0) {
            fail(cudaErrorNotSupported, "launches with dynamic shared memory or attributes are not emulated");
        }
        Kernel work{kernel, shared_memory, std::move(thread), config.gridDim, config.blockDim};
        expect_valid(work);
        gpu.expect_own(config.stream);
        expect_reachable(gpu, kernel, pointers);
        gpu.load(kernel);
        Stream& stream = gpu.streams.get(config.stream);
        expect_recordable(gpu, stream, kernel);
        gpu.streams.put(stream, [&gpu, work = std::move(work)] {
            gpu.activities.record_kernel(work.address, [&] { run_grid(work, gpu.launches++); });
        });
    });
}

cudaError_t load(const void* kernel) {
    return entry([&](Machine& gpu) { gpu.load(kernel); });
}

}  // namespace emulated
