#include "math/activations.hpp"

#include "math/element.hpp"
#include "math/exponential.hpp"
#include "sluice/sdk/clones.hpp"

namespace sluice::onednn {
namespace {

constexpr float kTwiceScale = 1.59576912F;  // 2 sqrt(2 / pi)
constexpr float kCubic = 0.044715F;
constexpr float kMostOfRelu6 = 6.0F;

// (1 + tanh(u)) / 2 is the logistic function of 2 u.
[[gnu::always_inline]] inline float tanh_distribution(float x) {
    return logistic(kTwiceScale * (x + kCubic * x * x * x));
}

}  // namespace

template <class Element>
SLUICE_CLONES void leaky_relu(Element* to, const Element* from, std::int64_t count, float slope) {
    for (std::int64_t i = 0; i < count; ++i) {
        to[i] = from[i] < 0.0F ? slope * from[i] : from[i];
    }
}

template <class Element>
SLUICE_CLONES void leaky_relu_gradient(Element* to, const Element* result, const Element* gradient, std::int64_t count,
                                       bool add, float slope) {
    for (std::int64_t i = 0; i < count; ++i) {
        const float mine = result[i] > 0.0F ? gradient[i] : slope * gradient[i];
        to[i] = add ? to[i] + mine : mine;
    }
}

// NaN stays NaN.
template <class Element>
SLUICE_CLONES void relu6(Element* to, const Element* from, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) {
        const float x = from[i];
        const float above = x < 0.0F ? 0.0F : x;
        to[i] = above > kMostOfRelu6 ? kMostOfRelu6 : above;
    }
}

template <class Element>
SLUICE_CLONES void relu6_gradient(Element* to, const Element* result, const Element* gradient, std::int64_t count,
                                  bool add) {
    for (std::int64_t i = 0; i < count; ++i) {
        const float y = result[i];
        const float mine = (y > 0.0F) & (y < kMostOfRelu6) ? static_cast<float>(gradient[i]) : 0.0F;
        to[i] = add ? to[i] + mine : mine;
    }
}

template <class Element>
SLUICE_CLONES void sigmoid(Element* to, const Element* from, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) {
        to[i] = logistic(from[i]);
    }
}

template <class Element>
SLUICE_CLONES void sigmoid_gradient(Element* to, const Element* result, const Element* gradient, std::int64_t count,
                                    bool add) {
    for (std::int64_t i = 0; i < count; ++i) {
        const float mine = result[i] * (1.0F - result[i]) * gradient[i];
        to[i] = add ? to[i] + mine : mine;
    }
}

template <class Element>
SLUICE_CLONES void silu(Element* to, const Element* from, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) {
        to[i] = from[i] * logistic(from[i]);
    }
}

template <class Element>
SLUICE_CLONES void silu_gradient(Element* to, const Element* from, const Element* gradient, std::int64_t count,
                                 bool add) {
    for (std::int64_t i = 0; i < count; ++i) {
        const float s = logistic(from[i]);
        const float mine = s * (1.0F + from[i] * (1.0F - s)) * gradient[i];
        to[i] = add ? to[i] + mine : mine;
    }
}

template <class Element>
SLUICE_CLONES void gelu(Element* to, const Element* from, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) {
        to[i] = from[i] * normal(from[i]).distribution;
    }
}

template <class Element>
SLUICE_CLONES void gelu_gradient(Element* to, const Element* from, const Element* gradient, std::int64_t count,
                                 bool add) {
    for (std::int64_t i = 0; i < count; ++i) {
        const Normal at = normal(from[i]);
        const float mine = (at.distribution + from[i] * at.density) * gradient[i];
        to[i] = add ? to[i] + mine : mine;
    }
}

template <class Element>
SLUICE_CLONES void gelu_by_tanh(Element* to, const Element* from, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) {
        to[i] = from[i] * tanh_distribution(from[i]);
    }
}

template <class Element>
SLUICE_CLONES void gelu_by_tanh_gradient(Element* to, const Element* from, const Element* gradient, std::int64_t count,
                                         bool add) {
    for (std::int64_t i = 0; i < count; ++i) {
        const float x = from[i];
        const float s = tanh_distribution(x);
        const float inner = kTwiceScale * (1.0F + 3.0F * kCubic * x * x);
        const float mine = s * (1.0F + x * (1.0F - s) * inner) * gradient[i];
        to[i] = add ? to[i] + mine : mine;
    }
}

template void leaky_relu(float*, const float*, std::int64_t, float);
template void leaky_relu_gradient(float*, const float*, const float*, std::int64_t, bool, float);
template void relu6(float*, const float*, std::int64_t);
template void relu6_gradient(float*, const float*, const float*, std::int64_t, bool);
template void sigmoid(float*, const float*, std::int64_t);
template void sigmoid_gradient(float*, const float*, const float*, std::int64_t, bool);
template void silu(float*, const float*, std::int64_t);
template void silu_gradient(float*, const float*, const float*, std::int64_t, bool);
template void gelu(float*, const float*, std::int64_t);
template void gelu_gradient(float*, const float*, const float*, std::int64_t, bool);
template void gelu_by_tanh(float*, const float*, std::int64_t);
template void gelu_by_tanh_gradient(float*, const float*, const float*, std::int64_t, bool);
template void leaky_relu(Bfloat16*, const Bfloat16*, std::int64_t, float);
template void leaky_relu_gradient(Bfloat16*, const Bfloat16*, const Bfloat16*, std::int64_t, bool, float);
template void relu6(Bfloat16*, const Bfloat16*, std::int64_t);
template void relu6_gradient(Bfloat16*, const Bfloat16*, const Bfloat16*, std::int64_t, bool);
template void sigmoid(Bfloat16*, const Bfloat16*, std::int64_t);
template void sigmoid_gradient(Bfloat16*, const Bfloat16*, const Bfloat16*, std::int64_t, bool);
template void silu(Bfloat16*, const Bfloat16*, std::int64_t);
template void silu_gradient(Bfloat16*, const Bfloat16*, const Bfloat16*, std::int64_t, bool);
template void gelu(Bfloat16*, const Bfloat16*, std::int64_t);
template void gelu_gradient(Bfloat16*, const Bfloat16*, const Bfloat16*, std::int64_t, bool);
template void gelu_by_tanh(Bfloat16*, const Bfloat16*, std::int64_t);
template void gelu_by_tanh_gradient(Bfloat16*, const Bfloat16*, const Bfloat16*, std::int64_t, bool);

}  // namespace sluice::onednn
