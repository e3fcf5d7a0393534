// The three directions of an upsampling by 2 and a convolution of 3x3 taps, by phases and oneDNN's convolutions.
#pragma once

#include <memory>

#include "conv/pass.hpp"
#include "phases/geometry.hpp"

namespace sluice::onednn {

// geometry: that of the chain's convolution. The input of the passes is the small image. threads: the most that a
// launch may use. accumulate: adds to the input's gradient instead of overwriting it.
std::unique_ptr<ConvPass> make_phase_forward(const dnnl::engine& engine, const ConvGeometry& geometry);
std::unique_ptr<ConvPass> make_phase_backward_data(const dnnl::engine& engine, const ConvGeometry& geometry,
                                                   bool accumulate);
std::unique_ptr<ConvPass> make_phase_weight_gradient(const dnnl::engine& engine, const ConvGeometry& geometry,
                                                     std::int64_t threads);

}  // namespace sluice::onednn
