// The arithmetic of convolutions, for reports of speed.
#pragma once

#include "conv/geometry.hpp"
#include "conv/transpose_geometry.hpp"

namespace sluice::onednn {

// Returns the floating-point operations that each direction needs without Winograd's method. A tap outside of the image
// costs nothing. The layer's definition counts it.
double direct_flops(const ConvGeometry& geometry);
double direct_flops(const TransposeGeometry& geometry);

}  // namespace sluice::onednn
