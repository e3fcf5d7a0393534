// Stand-in for the header of this name in the CUDA toolkit: float16 as bits, and its conversions.
#pragma once

#include "cuda_runtime.h"
#include "sluice/half.h"

struct alignas(2) __half {
    std::uint16_t bits;
};
struct alignas(4) __half2 {
    __half x, y;
};

inline float __half2float(__half value) { return sluice_float_of_float16(value.bits); }
inline __half __float2half_rn(float value) { return {sluice_float16_of_float(value)}; }
inline __half __float2half(float value) { return __float2half_rn(value); }
inline float2 __half22float2(__half2 pair) { return {__half2float(pair.x), __half2float(pair.y)}; }
inline __half2 __floats2half2_rn(float x, float y) { return {__float2half_rn(x), __float2half_rn(y)}; }
inline std::uint16_t __half_as_ushort(__half value) { return value.bits; }
inline __half __ushort_as_half(std::uint16_t bits) { return {bits}; }
