// Folds y = factor * (x - mean) + beta into x = kernels * image + bias.
#include <cmath>

#include "conv/fold.hpp"
#include "cuda/element_type.cuh"
#include "cuda/launch.cuh"

namespace sluice::cudnn {
namespace {

constexpr std::int64_t kPartSize = 1024;  // elements of one filter that a block multiplies

// block: (filter, part of it); size: elements of a filter
template <class T, int kSize>
__global__ void fold_batch_norm_kernel(std::int64_t size, FoldNumbers numbers, const float* kernels, T* to,
                                       float* bias) {
    const std::int64_t o = blockIdx.x;
    const double factor = numbers.gamma[o] / std::sqrt(numbers.variance[o] + numbers.epsilon);
    const auto rounded = static_cast<float>(factor);
    const std::int64_t begin = blockIdx.y * kPartSize;
    const std::int64_t end = begin + kPartSize < size ? begin + kPartSize : size;
    for (std::int64_t i = begin + threadIdx.x * kSize; i < end; i += kThreads * kSize) {
        const Pack<float, kSize> from = load_pack<kSize>(kernels + o * size + i);
        Pack<T, kSize> out;
        for (int k = 0; k < kSize; ++k) {
            out.values[k] = from_float<T>(from.values[k] * rounded);
        }
        store_pack(to + o * size + i, out);
    }
    if (blockIdx.y == 0 && threadIdx.x == 0) {
        const double shifted = (numbers.bias == nullptr ? 0.0 : numbers.bias[o]) - static_cast<double>(numbers.mean[o]);
        bias[o] = static_cast<float>(numbers.beta[o] + factor * shifted);
    }
}

}  // namespace

void fold_batch_norm(void* stream, cudnnDataType_t type, const WeightShape& shape, const FoldNumbers& numbers,
                     const float* kernels, void* to, float* bias) {
    const std::int64_t size = shape.taps * shape.channels;
    const dim3 blocks(static_cast<unsigned>(shape.filters), static_cast<unsigned>((size + kPartSize - 1) / kPartSize));
    with_element_type(type, [&](auto zero) {
        using T = decltype(zero);
        launch(stream, blocks, kThreads, size % 4 == 0 ? fold_batch_norm_kernel<T, 4> : fold_batch_norm_kernel<T, 1>,
               size, numbers, kernels, static_cast<T*>(to), bias);
    });
}

}  // namespace sluice::cudnn
