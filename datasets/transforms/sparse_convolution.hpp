// Convolution with a kernel most of whose entries are zero, such as a line.
#pragma once

#include <span>
#include <vector>

#include "picture.hpp"
#include "row_sums.hpp"

namespace sluice::transforms {

// One entry of a kernel: how far from its centre, and how much it counts.
struct Tap {
    int y = 0;
    int x = 0;
    float weight = 0.0F;
};

// Memory that is kept between calls.
struct ConvolutionScratch {
    std::vector<float> padded;      // the picture with its borders
    std::vector<WeightedRow> rows;  // of which one of the result is the sum
};

// to[y][x] = sum over taps of weight * from[y + tap.y][x + tap.x], rounded to nearest. Beyond its borders the picture
// is mirrored without repeating its outermost pixels. The weights have to sum to 1.
// to: of the picture's shape
void convolve(const Picture& from, std::span<const Tap> taps, ConvolutionScratch& scratch, std::uint8_t* to);

}  // namespace sluice::transforms
