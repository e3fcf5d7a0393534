// Convolutions of 3x3 taps and stride 1 by Winograd's method: 36 products instead of 144 for 4x4 outputs.
#pragma once

#include <memory>

#include "conv/geometry.hpp"
#include "conv/pass.hpp"

namespace sluice::onednn {

// Whether the passes below compute such a convolution, and whether they are likely to do it faster than oneDNN.
[[nodiscard]] bool winograd_fits(const ConvGeometry& geometry);
[[nodiscard]] bool winograd_pays(const ConvGeometry& geometry);

std::unique_ptr<ConvPass> make_winograd_forward(const ConvGeometry& geometry);
// accumulate: the gradient is added to what is there.
std::unique_ptr<ConvPass> make_winograd_backward_data(const ConvGeometry& geometry, bool accumulate);
std::unique_ptr<ConvPass> make_winograd_weight_gradient(const ConvGeometry& geometry);

}  // namespace sluice::onednn
