// Numbers of 16 bits as float32.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace sluice {

inline float from_bfloat16(std::uint16_t bits) { return std::bit_cast<float>(std::uint32_t{bits} << 16); }

inline float from_float16(std::uint16_t bits) {
    const int exponent = bits >> 10 & 0x1F;
    const int fraction = bits & 0x3FF;
    const float magnitude = exponent == 0    ? std::ldexp(static_cast<float>(fraction), -24)
                            : exponent != 31 ? std::ldexp(static_cast<float>(1024 + fraction), exponent - 25)
                            : fraction == 0  ? INFINITY
                                             : NAN;
    return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

}  // namespace sluice
