// Vector loops over all pixels of one image for a block of its channels. Element is float or Bfloat16.
#pragma once

#include <cstdint>

namespace sluice::onednn {

inline constexpr std::int64_t kGlobalBlock = 64;

// A block of `count` channels, at most kGlobalBlock, of an image [pixels, channels]. Pointers point to its first
// channel.
struct GlobalBlock {
    std::int64_t pixels;
    std::int64_t channels;
    std::int64_t count;
};

template <class Element>
void mean_of(const GlobalBlock& block, const Element* x, Element* y);
// to = share * gradient at each pixel; with `add` it is added to `to`.
template <class Element>
void spread(const GlobalBlock& block, const Element* gradient, float share, Element* to, bool add);
// y: the largest value. pixels: the index of its pixel; nullptr if not wanted. Of equal values the first wins; NaN is
// larger than numbers.
template <class Element>
void largest_of(const GlobalBlock& block, const Element* x, Element* y, std::int32_t* pixels);
template <class Element>
void clear(const GlobalBlock& block, Element* to);
// Adds each channel's gradient at its pixel.
template <class Element>
void add_at(const GlobalBlock& block, const Element* gradient, const std::int32_t* pixels, Element* to);

}  // namespace sluice::onednn
