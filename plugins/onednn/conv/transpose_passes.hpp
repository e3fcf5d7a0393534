// The three directions of a transposed convolution by oneDNN's deconvolution, which runs the opposite directions of a
// convolution.
#pragma once

#include <memory>

#include "conv/pass.hpp"
#include "conv/transpose_geometry.hpp"

namespace sluice::onednn {

std::unique_ptr<ConvPass> make_transpose_forward(const dnnl::engine& engine, const TransposeGeometry& geometry);
// accumulate: adds to the input's gradient instead of overwriting it.
std::unique_ptr<ConvPass> make_transpose_backward_data(const dnnl::engine& engine, const TransposeGeometry& geometry,
                                                       bool accumulate);
std::unique_ptr<ConvPass> make_transpose_weight_gradient(const dnnl::engine& engine, const TransposeGeometry& geometry);

}  // namespace sluice::onednn
