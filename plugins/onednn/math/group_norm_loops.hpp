// Loops of group normalisation over blocks of pixels [count, C] of float32, per channel.
#pragma once

#include <cstdint>

namespace sluice::onednn {

struct PixelBlock {
    const float* x;
    std::int64_t count;
    std::int64_t channels;
};

// mean[c], and squares[c]: the sum of squared distances from it.
void block_moments(const PixelBlock& block, float* mean, float* squares);
// y = (x - mean) * factor + shift
void shift_block(const PixelBlock& block, const float* mean, const float* factor, const float* shift, float* y);
// sums[c] = gradient, products[c] = gradient * (x - mean), summed over the block
void block_products(const PixelBlock& block, const float* gradient, const float* mean, float* sums, float* products);

// dx = gradient * factor - offset - (x - mean) * slope, added to what is there where `add`.
struct GroupGradient {
    const float* mean;
    const float* factor;
    const float* offset;
    const float* slope;
    bool add;
};
void block_gradient(const PixelBlock& block, const float* gradient, const GroupGradient& how, float* dx);

}  // namespace sluice::onednn
