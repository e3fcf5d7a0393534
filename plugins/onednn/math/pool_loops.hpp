// Vector loops of poolings over the channels of one pixel. Element is float or Bfloat16.
#pragma once

#include <cstdint>

namespace sluice::onednn {

// The part of a window that lies inside the input.
template <class Element>
struct PoolWindow {
    const Element* corner;  // its first pixel
    std::int64_t rows;
    std::int64_t columns;
    std::int64_t row_step;   // elements from one row of the input to the next
    std::int64_t first_tap;  // index of the corner among the taps of the whole window
    std::int64_t kernel;     // taps in a row of the whole window
    std::int64_t channels;
};

// y: the largest value of each channel. taps: the index of its tap; nullptr if not wanted. Of equal values the first
// wins; NaN is larger than all numbers.
template <class Element>
void largest_of(const PoolWindow<Element>& window, Element* y, std::uint16_t* taps);
// to[c] += gradient[c] if taps[c] is `tap`.
template <class Element>
void add_where(float* to, const Element* gradient, const std::uint16_t* taps, std::uint16_t tap, std::int64_t channels);
// y = factor times the sum of each channel.
template <class Element>
void sum_of(const PoolWindow<Element>& window, float factor, Element* y);
// to[c] += factor * gradient[c]
template <class Element>
void add_scaled(float* to, const Element* gradient, float factor, std::int64_t channels);

}  // namespace sluice::onednn
