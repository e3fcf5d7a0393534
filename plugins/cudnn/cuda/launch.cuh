// Launches kernels. Kernels use static shared memory only. The tests run them on the CPU, one thread after another up
// to the next barrier (tests/emulated_cuda), so kernels may use only those parts of CUDA that are emulated there.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>

#include "cuda/status.hpp"

namespace sluice::cudnn {

inline constexpr unsigned kThreads = 256;  // of a block, unless a kernel says otherwise

// `stream` is that of a sluice_launch. Arguments are copied.
template <class... Parameters, class... Arguments>
void launch(void* stream, dim3 blocks, dim3 threads, void (*kernel)(Parameters...), Arguments&&... arguments) {
    cudaLaunchConfig_t config{};
    config.gridDim = blocks;
    config.blockDim = threads;
    config.stream = static_cast<cudaStream_t>(stream);
    check(cudaLaunchKernelEx(&config, kernel, static_cast<Parameters>(std::forward<Arguments>(arguments))...),
          "launching a kernel");
}

// The blocks that fill a GPU. Tests compile kernels with fewer blocks, so that they stride over small tensors too.
#ifdef SLUICE_MOST_BLOCKS
inline constexpr std::int64_t kFullGrid = SLUICE_MOST_BLOCKS;
#else
inline constexpr std::int64_t kFullGrid = 132 * 16;
#endif

// Returns the blocks of kThreads threads for n pieces of work, one per thread. Kernels stride over the rest.
inline unsigned blocks_for(std::int64_t n) {
    return static_cast<unsigned>(std::clamp<std::int64_t>((n + kThreads - 1) / kThreads, 1, kFullGrid));
}

// Returns how many blocks of kThreads threads the calling thread's device runs at once. A kernel that strides over its
// work launches no more: a second wave would leave most of the device idle. Throws sdk::Failure.
template <class... Parameters>
std::int64_t blocks_at_once(void (*kernel)(Parameters...)) {
    int device = 0;
    int multiprocessors = 0;
    int blocks = 0;
    check(cudaGetDevice(&device), "reading the current device");
    check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device),
          "reading the number of multiprocessors");
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, static_cast<int>(kThreads), 0),
          "computing how many blocks fit on a multiprocessor");
    return std::int64_t{multiprocessors} * std::max(blocks, 1);
}

// for (std::int64_t i = first_index(); i < n; i += index_stride())
__device__ inline std::int64_t first_index() {
    return static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}
__device__ inline std::int64_t index_stride() { return static_cast<std::int64_t>(gridDim.x) * blockDim.x; }

}  // namespace sluice::cudnn
