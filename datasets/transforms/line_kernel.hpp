// The point spread function of a camera that moves along a straight line.
#pragma once

#include <vector>

#include "sparse_convolution.hpp"

namespace sluice::transforms {

// The share that each pixel has in a rectangle of `length` by 1 pixels around the origin, its long side turned by
// `degrees` counter-clockwise from horizontal (rows count downward). The weights sum to 1.
std::vector<Tap> line_kernel(double length, double degrees);

}  // namespace sluice::transforms
