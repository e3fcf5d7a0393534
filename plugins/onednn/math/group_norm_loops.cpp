#include "math/group_norm_loops.hpp"

#include <algorithm>

#include "math/clones.hpp"

namespace sluice::onednn {

SLUICE_CLONES void block_moments(const PixelBlock& block, float* __restrict mean, float* __restrict squares) {
    std::fill_n(mean, block.channels, 0.0F);
    std::fill_n(squares, block.channels, 0.0F);
    for (std::int64_t p = 0; p < block.count; ++p) {
        const float* x = block.x + p * block.channels;
        for (std::int64_t c = 0; c < block.channels; ++c) {
            mean[c] += x[c];
        }
    }
    const float share = 1.0F / static_cast<float>(block.count);
    for (std::int64_t c = 0; c < block.channels; ++c) {
        mean[c] *= share;
    }
    for (std::int64_t p = 0; p < block.count; ++p) {
        const float* x = block.x + p * block.channels;
        for (std::int64_t c = 0; c < block.channels; ++c) {
            const float distance = x[c] - mean[c];
            squares[c] += distance * distance;
        }
    }
}

SLUICE_CLONES void shift_block(const PixelBlock& block, const float* mean, const float* factor, const float* shift,
                               float* __restrict y) {
    for (std::int64_t p = 0; p < block.count; ++p) {
        const float* x = block.x + p * block.channels;
        float* to = y + p * block.channels;
        for (std::int64_t c = 0; c < block.channels; ++c) {
            to[c] = (x[c] - mean[c]) * factor[c] + shift[c];
        }
    }
}

SLUICE_CLONES void block_products(const PixelBlock& block, const float* gradient, const float* mean,
                                  float* __restrict sums, float* __restrict products) {
    std::fill_n(sums, block.channels, 0.0F);
    std::fill_n(products, block.channels, 0.0F);
    for (std::int64_t p = 0; p < block.count; ++p) {
        const float* x = block.x + p * block.channels;
        const float* slope = gradient + p * block.channels;
        for (std::int64_t c = 0; c < block.channels; ++c) {
            sums[c] += slope[c];
            products[c] += slope[c] * (x[c] - mean[c]);
        }
    }
}

SLUICE_CLONES void block_gradient(const PixelBlock& block, const float* gradient, const GroupGradient& how,
                                  float* __restrict dx) {
    const GroupGradient group = how;
    for (std::int64_t p = 0; p < block.count; ++p) {
        const float* x = block.x + p * block.channels;
        const float* slope = gradient + p * block.channels;
        float* to = dx + p * block.channels;
        for (std::int64_t c = 0; c < block.channels; ++c) {
            const float value = slope[c] * group.factor[c] - group.offset[c] - (x[c] - group.mean[c]) * group.slope[c];
            to[c] = group.add ? to[c] + value : value;
        }
    }
}

}  // namespace sluice::onednn
