// Which element of an image each position along one axis stands for. Padding, mirrored edges, nearest upsampling and
// the phases of an upsampled image are all such maps, so that no padded or enlarged copy of an image is ever made.
#pragma once

#include <cstdint>
#include <vector>

#include "conv/geometry.hpp"

namespace sluice::onednn {

constexpr std::int32_t kOutside = -1;  // a zero where it is read, nothing where it is written

using AxisMap = std::vector<std::int32_t>;

// `length` positions; position p is element p - before of an axis of `extent` elements.
AxisMap shifted_axis(std::int64_t length, std::int64_t before, std::int64_t extent);

// One phase of an axis of `extent` elements: position p is element 2 * (p - before) + phase.
AxisMap every_second_axis(std::int64_t length, std::int64_t before, std::int64_t extent, int phase);

// The first, mirrored about the first and the last element as far as `border` goes.
AxisMap mirrored_axis(std::int64_t length, std::int64_t border, std::int64_t extent);

// What a convolution reads: its input with the padding in front.
AxisMap input_axis(const ConvGeometry& geometry, const ConvAxis& axis, std::int64_t length);

}  // namespace sluice::onednn
