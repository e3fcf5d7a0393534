// The chain of a nearest upsampling by 2 and a convolution of 3x3 taps as one convolution.
//
// Each pixel of the large output belongs to one of four phases, by its row and its column being even or odd, and
// sees 2x2 pixels of the small input. So the chain is four convolutions of 2x2 taps: 16 products instead of 36. They
// are exact, because sums of taps and the zeros around the image are the same. The enlarged image never exists.
//
// Seen from the output, the four are one convolution of stride 2 and 4x4 taps from the large image to the small one.
// The gradient of its input is the output of the chain; its own output is the gradient of the chain's input. So no
// phase is stored by itself.
#pragma once

#include "conv/geometry.hpp"

namespace sluice::onednn {

// geometry, here and below: that of the chain's convolution, whose input is the enlarged image. upsampled_fits(): the
// chain can be computed by phases.
[[nodiscard]] bool upsampled_fits(const ConvGeometry& geometry);

// True if phases are likely to be faster than upsampling and a convolution one after the other.
[[nodiscard]] bool phases_are_likely_faster(const ConvGeometry& geometry);

// Returns the convolution from the large image [N, 2H, 2W, O] to the small one [N, H, W, C].
[[nodiscard]] ConvGeometry phase_geometry(const ConvGeometry& geometry);

}  // namespace sluice::onednn
