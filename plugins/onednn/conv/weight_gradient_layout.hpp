#pragma once

#include "conv/geometry.hpp"

namespace sluice::onednn {

// Returns the layout of the activations that is faster for weight gradients: nhwc, or any (oneDNN chooses).
dnnl::memory::format_tag weight_gradient_layout(const ConvGeometry& geometry);

}  // namespace sluice::onednn
