#include "math/global_loops.hpp"

#include <algorithm>

#include "math/element.hpp"
#include "sluice/sdk/clones.hpp"

namespace sluice::onednn {
namespace {

// Pixels are summed in float before they are added in double: few enough that no digit is lost.
constexpr std::int64_t kPixels = 64;

template <class Element>
SLUICE_CLONES void add_pixels(const Element* x, std::int64_t pixels, std::int64_t step, std::int64_t count,
                              float* __restrict sums) {
    for (std::int64_t p = 0; p < pixels; ++p) {
        for (std::int64_t c = 0; c < count; ++c) {
            sums[c] += x[p * step + c];
        }
    }
}

template <class Element>
SLUICE_CLONES void compare_pixels(const GlobalBlock& block, const Element* x, float* __restrict best,
                                  std::int32_t* __restrict at) {
    for (std::int64_t p = 0; p < block.pixels; ++p) {
        const Element* pixel = x + p * block.channels;
        for (std::int64_t c = 0; c < block.count; ++c) {
            const float value = pixel[c];
            const bool larger = (value > best[c]) | (value != value);
            best[c] = larger ? value : best[c];
            at[c] = larger ? static_cast<std::int32_t>(p) : at[c];
        }
    }
}

}  // namespace

template <class Element>
void mean_of(const GlobalBlock& block, const Element* x, Element* y) {
    double totals[kGlobalBlock] = {};
    for (std::int64_t p = 0; p < block.pixels; p += kPixels) {
        float sums[kGlobalBlock] = {};
        add_pixels(x + p * block.channels, std::min(kPixels, block.pixels - p), block.channels, block.count, sums);
        for (std::int64_t c = 0; c < block.count; ++c) {
            totals[c] += sums[c];
        }
    }
    for (std::int64_t c = 0; c < block.count; ++c) {
        y[c] = static_cast<float>(totals[c] / static_cast<double>(block.pixels));
    }
}

template <class Element>
SLUICE_CLONES void spread(const GlobalBlock& block, const Element* gradient, float share, Element* to, bool add) {
    float value[kGlobalBlock];
    for (std::int64_t c = 0; c < block.count; ++c) {
        value[c] = share * gradient[c];
    }
    for (std::int64_t p = 0; p < block.pixels; ++p) {
        Element* mine = to + p * block.channels;
        for (std::int64_t c = 0; c < block.count; ++c) {
            mine[c] = add ? mine[c] + value[c] : value[c];
        }
    }
}

template <class Element>
void largest_of(const GlobalBlock& block, const Element* x, Element* y, std::int32_t* pixels) {
    float best[kGlobalBlock];
    std::int32_t at[kGlobalBlock] = {};
    std::copy_n(x, block.count, best);
    compare_pixels(block, x, best, at);
    std::copy_n(best, block.count, y);
    if (pixels != nullptr) {
        std::copy_n(at, block.count, pixels);
    }
}

template <class Element>
void clear(const GlobalBlock& block, Element* to) {
    for (std::int64_t p = 0; p < block.pixels; ++p) {
        std::fill_n(to + p * block.channels, block.count, Element(0.0F));
    }
}

template <class Element>
void add_at(const GlobalBlock& block, const Element* gradient, const std::int32_t* pixels, Element* to) {
    for (std::int64_t c = 0; c < block.count; ++c) {
        Element& mine = to[pixels[c] * block.channels + c];
        mine = mine + gradient[c];
    }
}

template void mean_of(const GlobalBlock&, const float*, float*);
template void spread(const GlobalBlock&, const float*, float, float*, bool);
template void largest_of(const GlobalBlock&, const float*, float*, std::int32_t*);
template void clear(const GlobalBlock&, float*);
template void add_at(const GlobalBlock&, const float*, const std::int32_t*, float*);
template void mean_of(const GlobalBlock&, const Bfloat16*, Bfloat16*);
template void spread(const GlobalBlock&, const Bfloat16*, float, Bfloat16*, bool);
template void largest_of(const GlobalBlock&, const Bfloat16*, Bfloat16*, std::int32_t*);
template void clear(const GlobalBlock&, Bfloat16*);
template void add_at(const GlobalBlock&, const Bfloat16*, const std::int32_t*, Bfloat16*);

}  // namespace sluice::onednn
