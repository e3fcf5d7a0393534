#include "math/elementwise.hpp"

#include <algorithm>

#include "math/clones.hpp"

namespace sluice::onednn {

SLUICE_CLONES void add_to(float* to, const float* from, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) {
        to[i] += from[i];
    }
}

SLUICE_CLONES void sum_of(float* to, const float* a, const float* b, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) {
        to[i] = a[i] + b[i];
    }
}

void store_gradient(float* to, const float* from, std::int64_t count, bool add) {
    if (add) {
        add_to(to, from, count);
    } else {
        std::copy_n(from, count, to);
    }
}

SLUICE_CLONES void scale(float* to, const float* from, float factor, std::int64_t count, bool add) {
    if (add) {
        for (std::int64_t i = 0; i < count; ++i) {
            to[i] += factor * from[i];
        }
    } else {
        for (std::int64_t i = 0; i < count; ++i) {
            to[i] = factor * from[i];
        }
    }
}

SLUICE_CLONES void relu(float* to, const float* from, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) {
        to[i] = from[i] > 0.0F ? from[i] : 0.0F;
    }
}

SLUICE_CLONES void relu_gradient(float* to, const float* result, const float* gradient, std::int64_t count, bool add) {
    for (std::int64_t i = 0; i < count; ++i) {
        const float mine = result[i] > 0.0F ? gradient[i] : 0.0F;
        to[i] = add ? to[i] + mine : mine;
    }
}

SLUICE_CLONES void tanh_gradient(float* to, const float* result, const float* gradient, std::int64_t count, bool add) {
    for (std::int64_t i = 0; i < count; ++i) {
        const float mine = (1.0F - result[i] * result[i]) * gradient[i];
        to[i] = add ? to[i] + mine : mine;
    }
}

}  // namespace sluice::onednn
