// The element types of activations, float32 arithmetic on them, and packs of 16 bytes.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>
#include <cstring>

#include "sluice/sdk/tensor.hpp"

namespace sluice::cudnn {

using Half = __half;
using Bfloat = __nv_bfloat16;

__device__ inline float to_float(float value) { return value; }
__device__ inline float to_float(std::uint8_t value) { return static_cast<float>(value); }
__device__ inline float to_float(Half value) { return __half2float(value); }
__device__ inline float to_float(Bfloat value) { return __bfloat162float(value); }

template <class T>
__device__ T from_float(float value);
template <>
__device__ inline float from_float<float>(float value) {
    return value;
}
template <>
__device__ inline Half from_float<Half>(float value) {
    return __float2half_rn(value);
}
template <>
__device__ inline Bfloat from_float<Bfloat>(float value) {
    return __float2bfloat16_rn(value);
}

// kSize neighbouring elements, 16 bytes by default, that are loaded and stored at once. The address must be a multiple
// of the pack's bytes.
template <class T, int kElements = 16 / sizeof(T)>
struct alignas(kElements * sizeof(T)) Pack {
    static constexpr int kSize = kElements;
    T values[kSize];
};

template <class T>
__device__ Pack<T> load_pack(const T* from) {
    return *reinterpret_cast<const Pack<T>*>(from);
}
template <int kElements, class T>
__device__ Pack<T, kElements> load_pack(const T* from) {
    return *reinterpret_cast<const Pack<T, kElements>*>(from);
}
template <class T, int kElements>
__device__ void store_pack(T* to, const Pack<T, kElements>& pack) {
    *reinterpret_cast<Pack<T, kElements>*>(to) = pack;
}

// Stores float32 numbers in `to`, or adds them if `add`.
template <int kElements, class T>
__device__ void put_pack(T* to, const float (&values)[kElements], bool add) {
    Pack<T, kElements> out = add ? load_pack<kElements>(to) : Pack<T, kElements>{};
    for (int k = 0; k < kElements; ++k) {
        out.values[k] = from_float<T>(add ? to_float(out.values[k]) + values[k] : values[k]);
    }
    store_pack(to, out);
}

// Calls body with a value of the element type: with_float_type(dtype, [&](auto zero) { using T = decltype(zero); ...
// }).
template <class Body>
auto with_float_type(sluice_dtype dtype, Body&& body) {
    if (sdk::same(dtype, sdk::kFloat16)) {
        return body(Half{});
    }
    if (sdk::same(dtype, sdk::kBfloat16)) {
        return body(Bfloat{});
    }
    return body(float{});
}

}  // namespace sluice::cudnn
