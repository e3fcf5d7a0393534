// The arithmetic of Winograd's convolutions, for reports of speed: products and transforms.
#pragma once

#include "winograd/backward_weights.hpp"
#include "winograd/correlation.hpp"

namespace sluice::onednn {

// Return the floating-point operations of a launch. Tiles that hang over the edge of the image count, the channels
// that fill vectors do not. Kernels are transformed in each launch of a training, else once for all launches.
double flops_of(const CorrelationPlan& plan);
double flops_of(const KernelGradientsPlan& plan);

}  // namespace sluice::onednn
