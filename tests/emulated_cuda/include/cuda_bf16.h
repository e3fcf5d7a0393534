// Stand-in for the header of this name in the CUDA toolkit: bfloat16 as bits, and its conversions.
#pragma once

#include "cuda_runtime.h"
#include "sluice/half.h"

struct alignas(2) __nv_bfloat16 {
    std::uint16_t bits;
};
struct alignas(4) __nv_bfloat162 {
    __nv_bfloat16 x, y;
};

inline float __bfloat162float(__nv_bfloat16 value) { return sluice_float_of_bfloat16(value.bits); }
inline __nv_bfloat16 __float2bfloat16_rn(float value) { return {sluice_bfloat16_of_float(value)}; }
inline __nv_bfloat16 __float2bfloat16(float value) { return __float2bfloat16_rn(value); }
inline float2 __bfloat1622float2(__nv_bfloat162 pair) { return {__bfloat162float(pair.x), __bfloat162float(pair.y)}; }
inline __nv_bfloat162 __floats2bfloat162_rn(float x, float y) {
    return {__float2bfloat16_rn(x), __float2bfloat16_rn(y)};
}
inline std::uint16_t __bfloat16_as_ushort(__nv_bfloat16 value) { return value.bits; }
inline __nv_bfloat16 __ushort_as_bfloat16(std::uint16_t bits) { return {bits}; }
