// The chain of a nearest upsampling by 2 and a convolution of 3x3 taps as one convolution.
//
// Each pixel of the large output, in one of four phases by its row and column being even or odd, sees 2x2 pixels of the
// small input: four convolutions of 2x2 taps, 16 products where the chain has 36. They are exact, sums of taps and
// zeros around being the same, and the enlarged image never exists. Seen from the output, the four are one convolution
// of stride 2 and 4x4 taps that reads the large image and gives the small one: the direction towards its input computes
// the chain, and its own output the gradient of the chain's input. So no phase is ever stored by itself.
#pragma once

#include "conv/geometry.hpp"

namespace sluice::onednn {

// geometry, here and below: of the chain's convolution, whose input is the enlarged image. Whether there are phases.
[[nodiscard]] bool upsampled_fits(const ConvGeometry& geometry);

// Whether they are likely to be faster than upsampling and a convolution one by one.
[[nodiscard]] bool phases_pay(const ConvGeometry& geometry);

// The convolution from the large image [N, 2H, 2W, O] to the small one [N, H, W, C].
[[nodiscard]] ConvGeometry phase_geometry(const ConvGeometry& geometry);

}  // namespace sluice::onednn
