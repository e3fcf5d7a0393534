// Convolutions of 3x3 taps and stride 1 by Winograd's method: 36 products instead of 144 for 4x4 outputs. And those
// behind a nearest upsampling by 2, as four convolutions of 2x2 taps of the small image, one for each phase of the
// output: 36 products for 5x5 outputs of a phase instead of 225. Sums of taps and the zeros around are the same, so
// that this is exact; the enlarged image never exists.
#pragma once

#include <memory>

#include "conv/geometry.hpp"
#include "conv/pass.hpp"

namespace sluice::onednn {

// Whether Winograd's method computes such a convolution, and whether it is likely to be faster than oneDNN.
[[nodiscard]] bool winograd_fits(const ConvGeometry& geometry);
[[nodiscard]] bool winograd_pays(const ConvGeometry& geometry);

// threads: that a launch may use at most. accumulate: the gradient is added to what is there.
std::unique_ptr<ConvPass> make_winograd_forward(const ConvGeometry& geometry, std::int64_t threads);
std::unique_ptr<ConvPass> make_winograd_backward_data(const ConvGeometry& geometry, std::int64_t threads,
                                                      bool accumulate);
std::unique_ptr<ConvPass> make_winograd_weight_gradient(const ConvGeometry& geometry, std::int64_t threads);

// geometry: of a convolution behind an upsampling that phases/geometry.hpp takes. The passes take and give the small
// image.
std::unique_ptr<ConvPass> make_upsampled_forward(const ConvGeometry& geometry, std::int64_t threads);
std::unique_ptr<ConvPass> make_upsampled_backward_data(const ConvGeometry& geometry, std::int64_t threads,
                                                       bool accumulate);
std::unique_ptr<ConvPass> make_upsampled_weight_gradient(const ConvGeometry& geometry, std::int64_t threads);

}  // namespace sluice::onednn
