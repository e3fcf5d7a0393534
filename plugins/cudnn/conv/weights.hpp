// Kernels of a convolution on their way between the parameters, which are float32, and the type that is computed with.
#pragma once

#include <cudnn.h>

#include <cstdint>

namespace sluice::cudnn {

// Kernels [O, taps, I] of either side.
struct WeightShape {
    std::int64_t filters = 0;  // O
    std::int64_t taps = 1;
    std::int64_t channels = 0;  // I
    [[nodiscard]] std::int64_t count() const { return filters * taps * channels; }
};

// to = from, rounded to `type`.
void round_weights(void* stream, cudnnDataType_t type, std::int64_t count, const float* from, void* to);
// to = from, of `type`, added to what is there where `add`.
void widen_weights(void* stream, cudnnDataType_t type, std::int64_t count, const void* from, float* to, bool add);

// The same with the first and the last axis swapped; shape: of `from`, [O, taps, I]; to: [I, taps, O].
// Rounding where `from` is float32, which `from_type` says.
void swap_weights(void* stream, cudnnDataType_t from_type, cudnnDataType_t to_type, const WeightShape& shape,
                  const void* from, void* to);
void swap_gradient(void* stream, cudnnDataType_t type, const WeightShape& shape, const void* from, float* to, bool add);

}  // namespace sluice::cudnn
