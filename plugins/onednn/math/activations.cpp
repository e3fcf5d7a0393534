#include "math/activations.hpp"

#include "math/clones.hpp"
#include "math/exponential.hpp"

namespace sluice::onednn {
namespace {

constexpr float kTwiceScale = 1.59576912F;  // 2 sqrt(2 / pi)
constexpr float kCubic = 0.044715F;

// (1 + tanh(u)) / 2 is the logistic function of 2 u.
[[gnu::always_inline]] inline float tanh_distribution(float x) {
    return logistic(kTwiceScale * (x + kCubic * x * x * x));
}

}  // namespace

SLUICE_CLONES void leaky_relu(float* to, const float* from, std::int64_t count, float slope) {
    for (std::int64_t i = 0; i < count; ++i) {
        to[i] = from[i] < 0.0F ? slope * from[i] : from[i];
    }
}

SLUICE_CLONES void leaky_relu_gradient(float* to, const float* result, const float* gradient, std::int64_t count,
                                       bool add, float slope) {
    for (std::int64_t i = 0; i < count; ++i) {
        const float mine = result[i] > 0.0F ? gradient[i] : slope * gradient[i];
        to[i] = add ? to[i] + mine : mine;
    }
}

SLUICE_CLONES void sigmoid(float* to, const float* from, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) {
        to[i] = logistic(from[i]);
    }
}

SLUICE_CLONES void sigmoid_gradient(float* to, const float* result, const float* gradient, std::int64_t count,
                                    bool add) {
    for (std::int64_t i = 0; i < count; ++i) {
        const float mine = result[i] * (1.0F - result[i]) * gradient[i];
        to[i] = add ? to[i] + mine : mine;
    }
}

SLUICE_CLONES void silu(float* to, const float* from, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) {
        to[i] = from[i] * logistic(from[i]);
    }
}

SLUICE_CLONES void silu_gradient(float* to, const float* from, const float* gradient, std::int64_t count, bool add) {
    for (std::int64_t i = 0; i < count; ++i) {
        const float s = logistic(from[i]);
        const float mine = s * (1.0F + from[i] * (1.0F - s)) * gradient[i];
        to[i] = add ? to[i] + mine : mine;
    }
}

SLUICE_CLONES void gelu(float* to, const float* from, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) {
        to[i] = from[i] * normal(from[i]).distribution;
    }
}

SLUICE_CLONES void gelu_gradient(float* to, const float* from, const float* gradient, std::int64_t count, bool add) {
    for (std::int64_t i = 0; i < count; ++i) {
        const Normal at = normal(from[i]);
        const float mine = (at.distribution + from[i] * at.density) * gradient[i];
        to[i] = add ? to[i] + mine : mine;
    }
}

SLUICE_CLONES void gelu_by_tanh(float* to, const float* from, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) {
        to[i] = from[i] * tanh_distribution(from[i]);
    }
}

SLUICE_CLONES void gelu_by_tanh_gradient(float* to, const float* from, const float* gradient, std::int64_t count,
                                         bool add) {
    for (std::int64_t i = 0; i < count; ++i) {
        const float x = from[i];
        const float s = tanh_distribution(x);
        const float inner = kTwiceScale * (1.0F + 3.0F * kCubic * x * x);
        const float mine = s * (1.0F + x * (1.0F - s) * inner) * gradient[i];
        to[i] = add ? to[i] + mine : mine;
    }
}

}  // namespace sluice::onednn
