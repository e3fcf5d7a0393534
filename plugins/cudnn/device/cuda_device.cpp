#include "device/cuda_device.hpp"

#include <algorithm>
#include <cstring>
#include <string>

#include "cuda/status.hpp"

namespace sluice::cudnn {
namespace {

std::string mebibytes(std::uint64_t bytes) { return std::to_string(bytes >> 20) + " MiB"; }

}  // namespace

std::uint32_t CudaDevice::count(sdk::Host /*host*/) {
    int count = 0;
    const cudaError_t status = cudaGetDeviceCount(&count);
    if (status != cudaSuccess || count == 0) {
        cudaGetLastError();
        throw sdk::Failure(SLUICE_UNSUPPORTED,
                           std::string("no GPU can be used: CUDA says ") +
                               (status == cudaSuccess ? "that there is none" : cudaGetErrorString(status)));
    }
    return static_cast<std::uint32_t>(count);
}

CudaDevice::CudaDevice(sdk::Host /*host*/, const sdk::Options& /*options*/, std::uint32_t index)
    : index_(static_cast<int>(index)) {
    check(cudaSetDevice(index_), "opening GPU " + std::to_string(index));
}

sluice_device_info CudaDevice::info() const {
    cudaDeviceProp properties{};
    check(cudaGetDeviceProperties(&properties, index_), "describing GPU " + std::to_string(index_));
    sluice_device_info info{};
    std::size_t free = 0;
    std::size_t total = 0;
    check(cudaMemGetInfo(&free, &total), "asking for free memory");
    const std::string name(properties.name);
    name.copy(info.name, sizeof(info.name) - 1);
    info.memory_bytes = free;
    info.alignment = 256;
    info.ref = {SLUICE_DEVICE_CUDA, index_};
    return info;
}

void* CudaDevice::alloc(std::uint64_t bytes) {
    void* block = nullptr;
    check(cudaMalloc(&block, std::max<std::uint64_t>(bytes, 256)), "taking " + mebibytes(bytes) + " of GPU memory");
    return block;
}

void CudaDevice::free(void* block) noexcept { cudaFree(block); }

void* CudaDevice::host_alloc(std::uint64_t bytes) {
    void* block = nullptr;
    check(cudaMallocHost(&block, std::max<std::uint64_t>(bytes, 1)),
          "taking " + mebibytes(bytes) + " of pinned memory");
    return block;
}

void CudaDevice::host_free(void* block) noexcept { cudaFreeHost(block); }

void* CudaDevice::stream_create() {
    cudaStream_t stream = nullptr;
    check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "making a stream");
    return stream;
}

void CudaDevice::stream_destroy(void* stream) noexcept { cudaStreamDestroy(static_cast<cudaStream_t>(stream)); }

void CudaDevice::stream_wait(void* stream) {
    check(cudaStreamSynchronize(static_cast<cudaStream_t>(stream)), "computing");
}

void CudaDevice::copy(void* to, const void* from, std::uint64_t bytes, void* stream) {
    check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, static_cast<cudaStream_t>(stream)),
          "copying " + std::to_string(bytes) + " bytes");
}

void CudaDevice::zero(void* block, std::uint64_t bytes, void* stream) {
    check(cudaMemsetAsync(block, 0, bytes, static_cast<cudaStream_t>(stream)),
          "zeroing " + std::to_string(bytes) + " bytes");
}

}  // namespace sluice::cudnn
