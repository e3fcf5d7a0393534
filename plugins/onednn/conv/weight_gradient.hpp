// The gradients of a convolution's weights and bias by oneDNN, in the way that is likely the fastest.
#pragma once

#include <memory>

#include "conv/geometry.hpp"
#include "conv/pass.hpp"

namespace sluice::onednn {

std::unique_ptr<ConvPass> make_weight_gradient(const dnnl::engine& engine, const ConvGeometry& geometry,
                                               const dnnl::convolution_forward::primitive_desc& forward_desc,
                                               std::int64_t threads);

}  // namespace sluice::onednn
