// Convolutions whose result has few channels, by products of another form, because oneDNN's loops would leave most of
// each vector empty.
#pragma once

#include <memory>

#include "conv/geometry.hpp"
#include "conv/pass.hpp"

namespace sluice::onednn {

// True if the output, or the gradient of the input, is such an image.
[[nodiscard]] bool narrow_output_fits(const ConvGeometry& geometry);
[[nodiscard]] bool narrow_input_fits(const ConvGeometry& geometry);

// threads: the most that a launch may use. accumulate: adds to the input's gradient instead of overwriting it.
std::unique_ptr<ConvPass> make_narrow_forward(const ConvGeometry& geometry, std::int64_t threads);
std::unique_ptr<ConvPass> make_narrow_backward_data(const ConvGeometry& geometry, std::int64_t threads,
                                                    bool accumulate);

}  // namespace sluice::onednn
