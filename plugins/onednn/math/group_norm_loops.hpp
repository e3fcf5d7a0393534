// Loops of group normalisation over blocks of pixels [count, C], per channel. Element is float or Bfloat16.
#pragma once

#include <cstdint>

namespace sluice::onednn {

template <class Element>
struct PixelBlock {
    const Element* x;
    std::int64_t count;
    std::int64_t channels;
};

// Writes mean[c], and squares[c]: the sum of squared distances from it.
template <class Element>
void block_moments(const PixelBlock<Element>& block, float* mean, float* squares);
// y = (x - mean) * factor + shift
template <class Element>
void shift_block(const PixelBlock<Element>& block, const float* mean, const float* factor, const float* shift,
                 Element* y);
// sums[c] = gradient, products[c] = gradient * (x - mean), summed over the block
template <class Element>
void block_products(const PixelBlock<Element>& block, const Element* gradient, const float* mean, float* sums,
                    float* products);

// dx = gradient * factor - offset - (x - mean) * slope; with `add` it is added to dx.
struct GroupGradient {
    const float* mean;
    const float* factor;
    const float* offset;
    const float* slope;
    bool add;
};
template <class Element>
void block_gradient(const PixelBlock<Element>& block, const Element* gradient, const GroupGradient& how, Element* dx);

}  // namespace sluice::onednn
