// Converts elements of bfloat16 and float16 to and from float32.
#pragma once

#include <cstdint>

#include "sluice/half.h"
#include "sluice/sdk/tensor.hpp"

namespace sluice::sdk {

// Converts `count` elements of a 16-bit type to float32.
inline void widen(sluice_dtype from_type, const std::uint16_t* from, float* to, std::int64_t count) {
    if (same(from_type, kBfloat16)) {
        for (std::int64_t i = 0; i < count; ++i) {
            to[i] = sluice_float_of_bfloat16(from[i]);
        }
    } else {
        for (std::int64_t i = 0; i < count; ++i) {
            to[i] = sluice_float_of_float16(from[i]);
        }
    }
}

// Converts back, rounding to nearest.
inline void narrow(const float* from, sluice_dtype to_type, std::uint16_t* to, std::int64_t count) {
    if (same(to_type, kBfloat16)) {
        for (std::int64_t i = 0; i < count; ++i) {
            to[i] = sluice_bfloat16_of_float(from[i]);
        }
    } else {
        for (std::int64_t i = 0; i < count; ++i) {
            to[i] = sluice_float16_of_float(from[i]);
        }
    }
}

}  // namespace sluice::sdk
