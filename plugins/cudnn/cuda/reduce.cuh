// Sums over the threads of a block, in a fixed order.
#pragma once

#include <cuda_runtime.h>

namespace sluice::cudnn {

// Every thread of the block calls it; each gets the sum. kBlock: threads of the block, a power of two, at most 1024.
// T: float or double.
template <unsigned kBlock, class T>
__device__ T sum_over_block(T value) {
    __shared__ T shared[kBlock];
    __syncthreads();  // of the call before, every thread has read its result
    shared[threadIdx.x] = value;
    __syncthreads();
    for (unsigned width = kBlock / 2; width > 0; width /= 2) {
        if (threadIdx.x < width) {
            shared[threadIdx.x] += shared[threadIdx.x + width];
        }
        __syncthreads();
    }
    return shared[0];
}

}  // namespace sluice::cudnn
