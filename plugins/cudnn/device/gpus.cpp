#include "device/gpus.hpp"

#include <cuda_runtime.h>
#include <cudnn.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>

#include "cuda/status.hpp"
#include "device/nvml.hpp"

namespace sluice::cudnn {
namespace {

// Bytes that must be free after opening. With less, a GPU cannot hold the smallest network.
constexpr std::size_t kLeastFree = std::size_t{64} << 20;

int compute_mode(int number) {
    int mode = cudaComputeModeDefault;
    return cudaDeviceGetAttribute(&mode, cudaDevAttrComputeMode, number) == cudaSuccess ? mode : cudaComputeModeDefault;
}

std::vector<FoundGpu> describe_gpus(int count) {
    std::vector<FoundGpu> gpus;
    for (int i = 0; i < count; ++i) {
        cudaDeviceProp properties{};
        check(cudaGetDeviceProperties(&properties, i), "reading the properties of GPU " + std::to_string(i));
        gpus.push_back(
            {i, properties.name, properties.major, properties.minor, compute_mode(i) == cudaComputeModeProhibited});
    }
    return gpus;
}

// Opening NVML takes time, so this is called only to explain why there is no GPU.
void ask_nvml(Findings& findings) {
    const Nvml nvml;
    findings.driver_release = nvml.driver_release();
    findings.installed = nvml.gpu_count();
}

}  // namespace

Findings find_gpus() {
    Findings findings;
    findings.cudnn = cudnnGetVersion();
    findings.plugin_cuda = CUDART_VERSION;
    if (const char* visible = std::getenv("CUDA_VISIBLE_DEVICES")) {
        findings.visible = visible;
    }
    int count = 0;
    cudaDriverGetVersion(&findings.driver_cuda);
    const cudaError_t status = cudaGetDeviceCount(&count);
    if (status == cudaSuccess) {
        findings.gpus = describe_gpus(count);
    } else {
        cudaGetLastError();
        findings.error = cudaGetErrorString(status);
    }
    if (findings.gpus.empty()) {
        ask_nvml(findings);
    }
    return findings;
}

FoundGpu open_gpu(std::uint32_t index) {
    const Findings findings = find_gpus();
    std::vector<FoundGpu> usable;
    std::copy_if(findings.gpus.begin(), findings.gpus.end(), std::back_inserter(usable), is_usable);
    if (index >= usable.size()) {
        const std::string reason = no_gpu_reason(findings);
        throw sdk::Failure(SLUICE_UNSUPPORTED,
                           reason.empty() ? "there is no GPU " + std::to_string(index) +
                                                "; usable GPUs, numbered from 0: " + std::to_string(usable.size())
                                          : reason);
    }
    const FoundGpu& gpu = usable[index];
    std::size_t free = 0;
    std::size_t total = 0;
    cudaError_t status = cudaSetDevice(gpu.number);
    if (status == cudaSuccess) {
        status = cudaMemGetInfo(&free, &total);
    }
    const bool is_full = status == cudaErrorMemoryAllocation || (status == cudaSuccess && free < kLeastFree);
    if (status != cudaSuccess || is_full) {
        cudaGetLastError();
        throw sdk::Failure(
            is_full ? SLUICE_NO_MEMORY : SLUICE_UNSUPPORTED,
            open_failure_reason({.gpu = gpu,
                                 .out_of_memory = is_full,
                                 .unavailable = status == cudaErrorDevicesUnavailable,
                                 .is_exclusive = compute_mode(gpu.number) == cudaComputeModeExclusiveProcess,
                                 .error = cudaGetErrorString(status)}));
    }
    return gpu;
}

}  // namespace sluice::cudnn
