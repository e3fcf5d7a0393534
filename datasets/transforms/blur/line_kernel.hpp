// The point spread function of a camera that moves along a straight line.
#pragma once

#include <vector>

#include "blur/sparse_convolution.hpp"

namespace sluice::transforms {

// The share of each pixel in a rectangle of `length` by 1 pixels around the origin. Its long side is rotated by
// `degrees` counter-clockwise from horizontal (rows count downward). The weights sum to 1.
std::vector<Tap> line_kernel(double length, double degrees);

}  // namespace sluice::transforms
