#include "math/elementwise.hpp"

#include <algorithm>

#include "math/conversions.hpp"
#include "sluice/sdk/clones.hpp"

namespace sluice::onednn {

SLUICE_CLONES void add_to(float* to, const float* from, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) {
        to[i] += from[i];
    }
}

void store_gradient(float* to, const float* from, std::int64_t count, bool add) {
    if (add) {
        add_to(to, from, count);
    } else {
        std::copy_n(from, count, to);
    }
}

template <class Element>
SLUICE_CLONES void scale(Element* to, const Element* from, float factor, std::int64_t count, bool add) {
    if (add) {
        for (std::int64_t i = 0; i < count; ++i) {
            to[i] = to[i] + factor * from[i];
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

template <class Element>
SLUICE_CLONES void sum_squares(Element* to, const Element* from, const PixelRow& row, bool add) {
    constexpr std::int64_t kBlock = 256;  // channels
    const std::int64_t channels = row.channels;
    const std::int64_t below = row.width * row.factor * channels;
    for (std::int64_t pixel = 0; pixel < row.width; ++pixel) {
        Element* const mine = to + pixel * channels;
        const Element* square = from + pixel * row.factor * channels;
        if (row.factor == 2) {  // the usual factor, in a single pass
            for (std::int64_t c = 0; c < channels; ++c) {
                const float sum =
                    (square[c] + square[channels + c]) + (square[below + c] + square[below + channels + c]);
                mine[c] = add ? mine[c] + sum : sum;
            }
            continue;
        }
        for (std::int64_t first = 0; first < channels; first += kBlock) {
            const std::int64_t count = std::min(kBlock, channels - first);
            float block[kBlock];
            float* const sums = float_buffer(mine + first, block);
            for (std::int64_t c = 0; add && c < count; ++c) {
                sums[c] = mine[first + c];
            }
            for (std::int64_t tap = 0; tap < row.factor * row.factor; ++tap) {
                const Element* part = square + tap / row.factor * below + tap % row.factor * channels + first;
                const bool adds = add || tap > 0;
                for (std::int64_t c = 0; c < count; ++c) {
                    sums[c] = adds ? sums[c] + part[c] : static_cast<float>(part[c]);
                }
            }
            store_buffer(mine + first, sums, count);
        }
    }
}

template void scale(float*, const float*, float, std::int64_t, bool);
template void scale(Bfloat16*, const Bfloat16*, float, std::int64_t, bool);
template void sum_squares(float*, const float*, const PixelRow&, bool);
template void sum_squares(Bfloat16*, const Bfloat16*, const PixelRow&, bool);

}  // namespace sluice::onednn
