// Convolutions of 3x3 taps and stride 1 by Winograd's method: 36 products instead of 144 for 4x4 outputs.
//
// After a nearest upsampling by 2, such a convolution is four convolutions of 2x2 taps of the small image, one for each
// phase of the output: 36 products instead of 225 for 5x5 outputs of a phase. This is exact, because sums of taps and
// the zeros around the image are the same. The enlarged image never exists.
#pragma once

#include <memory>

#include "conv/geometry.hpp"
#include "conv/pass.hpp"

namespace sluice::onednn {

// winograd_fits(): Winograd's method can compute this convolution. winograd_is_likely_faster(): it is likely to be
// faster than oneDNN.
[[nodiscard]] bool winograd_fits(const ConvGeometry& geometry);
[[nodiscard]] bool winograd_is_likely_faster(const ConvGeometry& geometry);

// threads: the most that a launch may use. accumulate: adds to the input's gradient instead of overwriting it.
std::unique_ptr<ConvPass> make_winograd_forward(const ConvGeometry& geometry, std::int64_t threads);
std::unique_ptr<ConvPass> make_winograd_backward_data(const ConvGeometry& geometry, std::int64_t threads,
                                                      bool accumulate);
std::unique_ptr<ConvPass> make_winograd_weight_gradient(const ConvGeometry& geometry, std::int64_t threads);

// geometry: that of a convolution after an upsampling, for which upsampled_fits() of phases/geometry.hpp is true. The
// input of the passes is the small image.
std::unique_ptr<ConvPass> make_upsampled_forward(const ConvGeometry& geometry, std::int64_t threads);
std::unique_ptr<ConvPass> make_upsampled_backward_data(const ConvGeometry& geometry, std::int64_t threads,
                                                       bool accumulate);
std::unique_ptr<ConvPass> make_upsampled_weight_gradient(const ConvGeometry& geometry, std::int64_t threads);

}  // namespace sluice::onednn
