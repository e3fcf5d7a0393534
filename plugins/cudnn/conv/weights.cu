#include "conv/weights.hpp"

#include "cuda/element_type.cuh"
#include "cuda/launch.cuh"

namespace sluice::cudnn {
namespace {

// A thread takes 8 elements, which are at least 16 bytes on either side.
constexpr int kWeightPack = 8;

template <class From, class To>
__global__ void convert_kernel(std::int64_t n, const From* from, To* to, bool add) {
    const std::int64_t packs = n / kWeightPack;
    for (std::int64_t p = first_index(); p < packs; p += index_stride()) {
        const Pack<From, kWeightPack> read = load_pack<kWeightPack>(from + p * kWeightPack);
        float values[kWeightPack];
#pragma unroll
        for (int k = 0; k < kWeightPack; ++k) {
            values[k] = to_float(read.values[k]);
        }
        put_pack(to + p * kWeightPack, values, add);
    }
    for (std::int64_t i = packs * kWeightPack + first_index(); i < n; i += index_stride()) {
        to[i] = from_float<To>(add ? to_float(to[i]) + to_float(from[i]) : to_float(from[i]));
    }
}

// Squares of kSwapEdge channels and filters of one tap go through shared memory, which keeps reads and writes in order.
constexpr unsigned kSwapEdge = 32;
constexpr unsigned kSwapRows = kThreads / kSwapEdge;

// from [O, taps, I] -> to [I, taps, O]; block: (part of I, part of O, tap)
template <class From, class To>
__global__ void swap_kernel(WeightShape shape, const From* from, To* to, bool add) {
    __shared__ float square[kSwapEdge * (kSwapEdge + 1)];  // the extra column avoids bank conflicts
    const std::int64_t taps = shape.taps;
    const std::int64_t tap = blockIdx.z;
    const unsigned column = threadIdx.x % kSwapEdge;
    const std::int64_t first_i = static_cast<std::int64_t>(blockIdx.x) * kSwapEdge;
    const std::int64_t first_o = static_cast<std::int64_t>(blockIdx.y) * kSwapEdge;
    for (unsigned row = threadIdx.x / kSwapEdge; row < kSwapEdge; row += kSwapRows) {
        const std::int64_t o = first_o + row;
        const std::int64_t i = first_i + column;
        if (o < shape.filters && i < shape.channels) {
            square[row * (kSwapEdge + 1) + column] = to_float(from[(o * taps + tap) * shape.channels + i]);
        }
    }
    __syncthreads();
    for (unsigned row = threadIdx.x / kSwapEdge; row < kSwapEdge; row += kSwapRows) {
        const std::int64_t i = first_i + row;
        const std::int64_t o = first_o + column;
        if (o < shape.filters && i < shape.channels) {
            To* const target = to + (i * taps + tap) * shape.filters + o;
            const float value = square[column * (kSwapEdge + 1) + row];
            *target = from_float<To>(add ? to_float(*target) + value : value);
        }
    }
}

template <class From, class To>
void convert(void* stream, std::int64_t n, const void* from, void* to, bool add) {
    launch(stream, blocks_for(n / kWeightPack), kThreads, convert_kernel<From, To>, n, static_cast<const From*>(from),
           static_cast<To*>(to), add);
}

template <class From, class To>
void swap(void* stream, const WeightShape& shape, const void* from, void* to, bool add) {
    const auto parts = [](std::int64_t n) { return static_cast<unsigned>((n + kSwapEdge - 1) / kSwapEdge); };
    launch(stream, dim3(parts(shape.channels), parts(shape.filters), static_cast<unsigned>(shape.taps)), kThreads,
           swap_kernel<From, To>, shape, static_cast<const From*>(from), static_cast<To*>(to), add);
}

}  // namespace

void round_weights(void* stream, cudnnDataType_t type, std::int64_t count, const float* from, void* to) {
    with_element_type(type, [&](auto zero) { convert<float, decltype(zero)>(stream, count, from, to, false); });
}

void widen_weights(void* stream, cudnnDataType_t type, std::int64_t count, const void* from, float* to, bool add) {
    with_element_type(type, [&](auto zero) { convert<decltype(zero), float>(stream, count, from, to, add); });
}

void swap_weights(void* stream, cudnnDataType_t from_type, cudnnDataType_t to_type, const WeightShape& shape,
                  const void* from, void* to) {
    with_element_type(to_type, [&](auto zero) {
        using T = decltype(zero);
        from_type == to_type ? swap<T, T>(stream, shape, from, to, false)
                             : swap<float, T>(stream, shape, from, to, false);
    });
}

void swap_gradient(void* stream, cudnnDataType_t type, const WeightShape& shape, const void* from, float* to,
                   bool add) {
    with_element_type(type, [&](auto zero) { swap<decltype(zero), float>(stream, shape, from, to, add); });
}

}  // namespace sluice::cudnn
