// bfloat16 and float16 as 16 bits each, to and from float32. Rounding is to the nearest, ties to even; what is too
// large becomes infinite, what is not a number stays so. The loops have no branches: compilers make vectors of them.
#pragma once

#include <bit>
#include <cstdint>

#include "sluice/sdk/tensor.hpp"

namespace sluice::sdk {

inline float float_from_bfloat16(std::uint16_t bits) { return std::bit_cast<float>(std::uint32_t{bits} << 16); }

inline std::uint16_t bfloat16_from_float(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const bool is_nan = (bits & 0x7FFFFFFFU) > 0x7F800000U;
    const std::uint32_t rounded = bits + 0x7FFFU + (bits >> 16 & 1U);
    return static_cast<std::uint16_t>((is_nan ? bits | 0x400000U : rounded) >> 16);
}

// Exponents of float16 begin 112 below those of float32.
inline float float_from_float16(std::uint16_t bits) {
    const std::uint32_t magnitude = bits & 0x7FFFU;
    const float scaled = std::bit_cast<float>(magnitude << 13) * 0x1p112F;
    const std::uint32_t endless = magnitude >= 0x7C00U ? 0x7F800000U : 0U;
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(scaled) | endless | (bits & 0x8000U) << 16);
}

inline std::uint16_t float16_from_float(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t magnitude = bits & 0x7FFFFFFFU;
    // Below 2^-14 the last bit is worth 2^-24, as it is in float32 between 0.5 and 1: the sum rounds.
    const std::uint32_t small = std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) + 0.5F) - 0x3F000000U;
    const std::uint32_t normal = (magnitude - (112U << 23) + 0xFFFU + (magnitude >> 13 & 1U)) >> 13;
    std::uint32_t half = magnitude < (113U << 23) ? small : normal;
    half = magnitude >= 0x477FF000U ? 0x7C00U : half;  // 65520 and more
    half = magnitude > 0x7F800000U ? 0x7E00U : half;
    return static_cast<std::uint16_t>(half | (bits >> 16 & 0x8000U));
}

// count elements of a 16-bit type to float32.
inline void widen(sluice_dtype from_type, const std::uint16_t* from, float* to, std::int64_t count) {
    if (same(from_type, kBfloat16)) {
        for (std::int64_t i = 0; i < count; ++i) {
            to[i] = float_from_bfloat16(from[i]);
        }
    } else {
        for (std::int64_t i = 0; i < count; ++i) {
            to[i] = float_from_float16(from[i]);
        }
    }
}

// And back.
inline void narrow(const float* from, sluice_dtype to_type, std::uint16_t* to, std::int64_t count) {
    if (same(to_type, kBfloat16)) {
        for (std::int64_t i = 0; i < count; ++i) {
            to[i] = bfloat16_from_float(from[i]);
        }
    } else {
        for (std::int64_t i = 0; i < count; ++i) {
            to[i] = float16_from_float(from[i]);
        }
    }
}

}  // namespace sluice::sdk
