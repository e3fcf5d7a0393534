// Converts kernels of a convolution between float32, the type of parameters, and the type that cuDNN computes in.
#pragma once

#include <cudnn.h>

#include <cstdint>

namespace sluice::cudnn {

// The shape of kernels [O, taps, I].
struct WeightShape {
    std::int64_t filters = 0;  // O
    std::int64_t taps = 1;
    std::int64_t channels = 0;  // I
    [[nodiscard]] std::int64_t count() const { return filters * taps * channels; }
};

// Copies `from` to `to`, rounded to `type`.
void round_weights(void* stream, cudnnDataType_t type, std::int64_t count, const float* from, void* to);
// Copies `from`, of `type`, to `to`. If `add`, adds it to `to`.
void widen_weights(void* stream, cudnnDataType_t type, std::int64_t count, const void* from, float* to, bool add);

// These also swap the first and the last axis. shape: of `from`, [O, taps, I]; to: [I, taps, O].
// swap_weights() rounds if from_type is not to_type; `from` is then float32.
void swap_weights(void* stream, cudnnDataType_t from_type, cudnnDataType_t to_type, const WeightShape& shape,
                  const void* from, void* to);
void swap_gradient(void* stream, cudnnDataType_t type, const WeightShape& shape, const void* from, float* to, bool add);

}  // namespace sluice::cudnn
