// Sums over the threads of a warp or a block, in a fixed order.
#pragma once

#include <cuda_runtime.h>

namespace sluice::cudnn {

inline constexpr unsigned kWarp = 32;  // threads

// Folds `value` over groups of `threads` neighbours, a power of two. All threads of the warp must call it; each gets
// the result of its group.
template <class T, class Function>
__device__ T fold_over_warp(T value, Function function, unsigned threads = kWarp) {
    for (unsigned other = threads / 2; other > 0; other /= 2) {
        value = function(value, __shfl_xor_sync(0xFFFFFFFFU, value, static_cast<int>(other)));
    }
    return value;
}

struct Add {
    template <class T>
    __device__ T operator()(T a, T b) const {
        return a + b;
    }
};

// T: float or double.
template <class T>
__device__ T sum_over_warp(T value) {
    return fold_over_warp(value, Add{});
}

// All threads of the block must call it; each gets the sum. kBlock: threads of the block, a power of two, at most 1024.
// T: float or double.
template <unsigned kBlock, class T>
__device__ T sum_over_block(T value) {
    __shared__ T shared[kBlock];
    __syncthreads();  // every thread has read the result of the previous call
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
