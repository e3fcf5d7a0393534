// Convolutions that give few channels, by products of another form: oneDNN's loops leave most of each vector empty
// there.
#pragma once

#include <memory>

#include "conv/geometry.hpp"
#include "conv/pass.hpp"

namespace sluice::onednn {

// Whether the output, or the gradient of the input, is such an image.
[[nodiscard]] bool narrow_output_fits(const ConvGeometry& geometry);
[[nodiscard]] bool narrow_input_fits(const ConvGeometry& geometry);

// threads: that a launch may use at most. accumulate: the gradient is added to what is there.
std::unique_ptr<ConvPass> make_narrow_forward(const ConvGeometry& geometry, std::int64_t threads);
std::unique_ptr<ConvPass> make_narrow_backward_data(const ConvGeometry& geometry, std::int64_t threads,
                                                    bool accumulate);

}  // namespace sluice::onednn
