// Maps from each position along one axis to an element of an image. Padding, mirrored edges, nearest upsampling and the
// phases of an upsampled image are all such maps, so that loops need no padded or enlarged copy.
#pragma once

#include <cstdint>
#include <vector>

#include "conv/geometry.hpp"

namespace sluice::onednn {

constexpr std::int32_t kOutside = -1;  // reads give 0; writes are dropped

using AxisMap = std::vector<std::int32_t>;

// `length` positions; position p is element p - before of an axis of `extent` elements.
AxisMap shifted_axis(std::int64_t length, std::int64_t before, std::int64_t extent);

// One phase of an axis of `extent` elements: position p is element 2 * (p - before) + phase.
AxisMap every_second_axis(std::int64_t length, std::int64_t before, std::int64_t extent, int phase);

// Like shifted_axis(length, border, extent), but up to `border` positions on either side mirror the first and the last
// element.
AxisMap mirrored_axis(std::int64_t length, std::int64_t border, std::int64_t extent);

// Returns the map of a convolution's input, which starts with the padding.
AxisMap input_axis(const ConvGeometry& geometry, const ConvAxis& axis, std::int64_t length);

}  // namespace sluice::onednn
