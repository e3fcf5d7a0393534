// Element types of activations in memory. The 16-bit types convert to and from float: arithmetic is in float32, and
// what is stored is rounded.
#pragma once

#include <cstdint>

#include "sluice/sdk/half.hpp"

namespace sluice::onednn {

struct Bfloat16 {
    std::uint16_t bits;

    Bfloat16() = default;
    explicit Bfloat16(float value) : bits(sluice_bfloat16_of_float(value)) {}
    Bfloat16& operator=(float value) {
        bits = sluice_bfloat16_of_float(value);
        return *this;
    }
    operator float() const { return sluice_float_of_bfloat16(bits); }
};

struct Float16 {
    std::uint16_t bits;

    Float16() = default;
    explicit Float16(float value) : bits(sluice_float16_of_float(value)) {}
    Float16& operator=(float value) {
        bits = sluice_float16_of_float(value);
        return *this;
    }
    operator float() const { return sluice_float_of_float16(bits); }
};

}  // namespace sluice::onednn
