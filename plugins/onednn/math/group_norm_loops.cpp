#include "math/group_norm_loops.hpp"

#include <algorithm>

#include "math/element.hpp"
#include "sluice/sdk/clones.hpp"

namespace sluice::onednn {

template <class Element>
SLUICE_CLONES void block_moments(const PixelBlock<Element>& block, float* __restrict mean, float* __restrict squares) {
    std::fill_n(mean, block.channels, 0.0F);
    std::fill_n(squares, block.channels, 0.0F);
    for (std::int64_t p = 0; p < block.count; ++p) {
        const Element* x = block.x + p * block.channels;
        for (std::int64_t c = 0; c < block.channels; ++c) {
            mean[c] += x[c];
        }
    }
    const float share = 1.0F / static_cast<float>(block.count);
    for (std::int64_t c = 0; c < block.channels; ++c) {
        mean[c] *= share;
    }
    for (std::int64_t p = 0; p < block.count; ++p) {
        const Element* x = block.x + p * block.channels;
        for (std::int64_t c = 0; c < block.channels; ++c) {
            const float distance = x[c] - mean[c];
            squares[c] += distance * distance;
        }
    }
}

template <class Element>
SLUICE_CLONES void shift_block(const PixelBlock<Element>& block, const float* mean, const float* factor,
                               const float* shift, Element* __restrict y) {
    for (std::int64_t p = 0; p < block.count; ++p) {
        const Element* x = block.x + p * block.channels;
        Element* to = y + p * block.channels;
        for (std::int64_t c = 0; c < block.channels; ++c) {
            to[c] = (x[c] - mean[c]) * factor[c] + shift[c];
        }
    }
}

template <class Element>
SLUICE_CLONES void block_products(const PixelBlock<Element>& block, const Element* gradient, const float* mean,
                                  float* __restrict sums, float* __restrict products) {
    std::fill_n(sums, block.channels, 0.0F);
    std::fill_n(products, block.channels, 0.0F);
    for (std::int64_t p = 0; p < block.count; ++p) {
        const Element* x = block.x + p * block.channels;
        const Element* slope = gradient + p * block.channels;
        for (std::int64_t c = 0; c < block.channels; ++c) {
            sums[c] += slope[c];
            products[c] += slope[c] * (x[c] - mean[c]);
        }
    }
}

template <class Element>
SLUICE_CLONES void block_gradient(const PixelBlock<Element>& block, const Element* gradient, const GroupGradient& how,
                                  Element* __restrict dx) {
    const GroupGradient group = how;
    for (std::int64_t p = 0; p < block.count; ++p) {
        const Element* x = block.x + p * block.channels;
        const Element* slope = gradient + p * block.channels;
        Element* to = dx + p * block.channels;
        for (std::int64_t c = 0; c < block.channels; ++c) {
            const float value = slope[c] * group.factor[c] - group.offset[c] - (x[c] - group.mean[c]) * group.slope[c];
            to[c] = group.add ? to[c] + value : value;
        }
    }
}

template void block_moments(const PixelBlock<float>&, float*, float*);
template void shift_block(const PixelBlock<float>&, const float*, const float*, const float*, float*);
template void block_products(const PixelBlock<float>&, const float*, const float*, float*, float*);
template void block_gradient(const PixelBlock<float>&, const float*, const GroupGradient&, float*);
template void block_moments(const PixelBlock<Bfloat16>&, float*, float*);
template void shift_block(const PixelBlock<Bfloat16>&, const float*, const float*, const float*, Bfloat16*);
template void block_products(const PixelBlock<Bfloat16>&, const Bfloat16*, const float*, float*, float*);
template void block_gradient(const PixelBlock<Bfloat16>&, const Bfloat16*, const GroupGradient&, Bfloat16*);

}  // namespace sluice::onednn
