// Activations on dense float32 memory. `add` in gradients means "added to what is there", else written over it.
#pragma once

#include <cstdint>

namespace sluice::onednn {

// From x; gradients from the result.
void leaky_relu(float* to, const float* from, std::int64_t count, float slope);
void leaky_relu_gradient(float* to, const float* result, const float* gradient, std::int64_t count, bool add,
                         float slope);
void sigmoid(float* to, const float* from, std::int64_t count);
void sigmoid_gradient(float* to, const float* result, const float* gradient, std::int64_t count, bool add);

// From x; gradients from x too.
void silu(float* to, const float* from, std::int64_t count);
void silu_gradient(float* to, const float* from, const float* gradient, std::int64_t count, bool add);
void gelu(float* to, const float* from, std::int64_t count);
void gelu_gradient(float* to, const float* from, const float* gradient, std::int64_t count, bool add);
// With tanh(sqrt(2 / pi) (x + 0.044715 x^3)) in the place of erf(x / sqrt(2)).
void gelu_by_tanh(float* to, const float* from, std::int64_t count);
void gelu_by_tanh_gradient(float* to, const float* from, const float* gradient, std::int64_t count, bool add);

}  // namespace sluice::onednn
