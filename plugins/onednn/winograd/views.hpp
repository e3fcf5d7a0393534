// The plans of the three directions of a convolution: which tiles there are, and what each of them reads and writes.
#pragma once

#include <vector>

#include "conv/geometry.hpp"
#include "winograd/backward_weights.hpp"
#include "winograd/correlation.hpp"

namespace sluice::onednn {

CorrelationPlan plan_forward(const ConvGeometry& geometry);
// Plans the gradient of the input, or of the input's mirrored copy if the padding mirrors.
CorrelationPlan plan_backward_data(const ConvGeometry& geometry);
KernelGradientsPlan plan_weight_gradient(const ConvGeometry& geometry);

// For the convolution after a nearest upsampling by 2; its input is the small image.
CorrelationPlan plan_upsampled_forward(const ConvGeometry& geometry);
CorrelationPlan plan_upsampled_backward_data(const ConvGeometry& geometry);
KernelGradientsPlan plan_upsampled_weight_gradient(const ConvGeometry& geometry);

}  // namespace sluice::onednn
