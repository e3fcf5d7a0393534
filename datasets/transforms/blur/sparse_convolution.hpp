// Convolution with a kernel most of whose entries are zero, such as a line.
#pragma once

#include <span>
#include <vector>

#include "blur/row_sums.hpp"
#include "sample/picture.hpp"

namespace sluice::transforms {

// One entry of a kernel: its offset from the centre, and its weight.
struct Tap {
    int y = 0;
    int x = 0;
    float weight = 0.0F;
};

// Scratch memory that is kept between calls.
struct ConvolutionScratch {
    std::vector<float> padded;      // the picture with its borders
    std::vector<WeightedRow> rows;  // the summands of one row of the result
};

// to[y][x] = sum over taps of weight * from[y + tap.y][x + tap.x], rounded to nearest. The picture is mirrored at its
// borders without repeating the outermost pixels. The weights have to sum to 1.
// to: same shape as the picture
void convolve(const Picture& from, std::span<const Tap> taps, ConvolutionScratch& scratch, std::uint8_t* to);

}  // namespace sluice::transforms
