// Vector loops over all pixels of one image for a block of its channels, float32.
#pragma once

#include <cstdint>

namespace sluice::onednn {

inline constexpr std::int64_t kGlobalBlock = 64;

// Of an image [pixels, channels]: `count` channels, at most kGlobalBlock. Pointers are to the block's first.
struct GlobalBlock {
    std::int64_t pixels;
    std::int64_t channels;
    std::int64_t count;
};

void mean_of(const GlobalBlock& block, const float* x, float* y);
// to = share * gradient at each pixel, added to what is there where `add`.
void spread(const GlobalBlock& block, const float* gradient, float share, float* to, bool add);
// y: the largest; pixels: where it was, nullptr where nobody asks. Of equal ones the first; NaN is larger than numbers.
void largest_of(const GlobalBlock& block, const float* x, float* y, std::int32_t* pixels);
void clear(const GlobalBlock& block, float* to);
// Adds each channel's gradient at its pixel.
void add_at(const GlobalBlock& block, const float* gradient, const std::int32_t* pixels, float* to);

}  // namespace sluice::onednn
