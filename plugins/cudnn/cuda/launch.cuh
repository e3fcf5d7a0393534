// How kernels are launched. They have no dynamic shared memory; shared arrays are static. The tests run them on the
// CPU, thread after thread up to the next barrier (tests/emulated_cuda): what they use of CUDA has to be known there.
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

// What fills a GPU. Tests compile kernels with fewer blocks, so that they stride over small tensors, too.
#ifdef SLUICE_MOST_BLOCKS
inline constexpr std::int64_t kFullGrid = SLUICE_MOST_BLOCKS;
#else
inline constexpr std::int64_t kFullGrid = 132 * 16;
#endif

// Blocks of kThreads threads for n pieces of work, one a thread; kernels stride over what is left.
inline unsigned blocks_for(std::int64_t n) {
    return static_cast<unsigned>(std::clamp<std::int64_t>((n + kThreads - 1) / kThreads, 1, kFullGrid));
}

// Blocks of kThreads threads that the calling thread's device runs at once: more of a kernel that strides over its work
// would be a second wave, which leaves most of the device idle. Throws sdk::Failure.
template <class... Parameters>
std::int64_t blocks_at_once(void (*kernel)(Parameters...)) {
    int device = 0;
    int multiprocessors = 0;
    int blocks = 0;
    check(cudaGetDevice(&device), "asking for the device");
    check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device),
          "asking for the number of multiprocessors");
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, static_cast<int>(kThreads), 0),
          "asking how many blocks fit on a multiprocessor");
    return std::int64_t{multiprocessors} * std::max(blocks, 1);
}

// for (std::int64_t i = first_index(); i < n; i += index_stride())
__device__ inline std::int64_t first_index() {
    return static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}
__device__ inline std::int64_t index_stride() { return static_cast<std::int64_t>(gridDim.x) * blockDim.x; }

}  // namespace sluice::cudnn
