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

SLUICE_CLONES void tanh_gradient(float* to, const float* result, const float* gradient, std::int64_t count, bool add) {
    for (std::int64_t i = 0; i < count; ++i) {
        const float mine = (1.0F - result[i] * result[i]) * gradient[i];
        to[i] = add ? to[i] + mine : mine;
    }
}

SLUICE_CLONES void sum_squares(float* to, const float* from, const PixelRow& row, bool add) {
    const std::int64_t channels = row.channels;
    const std::int64_t below = row.width * row.factor * channels;
    for (std::int64_t pixel = 0; pixel < row.width; ++pixel) {
        float* __restrict mine = to + pixel * channels;
        const float* square = from + pixel * row.factor * channels;
        if (row.factor == 2) {  // the usual one, in a single pass
            for (std::int64_t c = 0; c < channels; ++c) {
                const float sum =
                    (square[c] + square[channels + c]) + (square[below + c] + square[below + channels + c]);
                mine[c] = add ? mine[c] + sum : sum;
            }
            continue;
        }
        for (std::int64_t tap = 0; tap < row.factor * row.factor; ++tap) {
            const float* part = square + tap / row.factor * below + tap % row.factor * channels;
            const bool adds = add || tap > 0;
            for (std::int64_t c = 0; c < channels; ++c) {
                mine[c] = adds ? mine[c] + part[c] : part[c];
            }
        }
    }
}

}  // namespace sluice::onednn
