#include "winograd/passes.hpp"

#include <algorithm>

#include "conv/own_passes.hpp"
#include "winograd/arithmetic.hpp"
#include "winograd/views.hpp"

namespace sluice::onednn {
namespace {

constexpr const char* kWhole = "winograd 4x4";
constexpr const char* kPhase = "winograd 5x5 of 4 phases";

}  // namespace

bool winograd_fits(const ConvGeometry& geometry) {
    return geometry.kernel == 3 && geometry.stride == 1 && geometry.dilation == 1 && geometry.groups == 1;
}

// Measured on Sapphire Rapids against oneDNN 2.6: it is faster from 16 channels on, unless so few tiles share the
// kernels that transforming and reading those takes longer than the products.
bool winograd_is_likely_faster(const ConvGeometry& geometry) {
    constexpr std::int64_t kLeastChannels = 16;
    const TileGrid grid(geometry.batch, geometry.height.out, geometry.width.out, kTaps3);
    return winograd_fits(geometry) && std::min(geometry.channels, geometry.filters) >= kLeastChannels &&
           2 * grid.count() > std::max(geometry.channels, geometry.filters);
}

std::unique_ptr<ConvPass> make_winograd_forward(const ConvGeometry& geometry, std::int64_t threads) {
    return std::make_unique<OwnForward<Correlation>>(kWhole, geometry, plan_forward(geometry), threads);
}

std::unique_ptr<ConvPass> make_winograd_backward_data(const ConvGeometry& geometry, std::int64_t threads,
                                                      bool accumulate) {
    return std::make_unique<OwnBackwardData<Correlation>>(kWhole, geometry, accumulate, plan_backward_data(geometry),
                                                          threads);
}

std::unique_ptr<ConvPass> make_winograd_weight_gradient(const ConvGeometry& geometry, std::int64_t threads) {
    return std::make_unique<OwnBackwardWeights<KernelGradients>>(kWhole, geometry, plan_weight_gradient(geometry),
                                                                 threads);
}

std::unique_ptr<ConvPass> make_upsampled_forward(const ConvGeometry& geometry, std::int64_t threads) {
    return std::make_unique<OwnForward<Correlation>>(kPhase, geometry, plan_upsampled_forward(geometry), threads);
}

std::unique_ptr<ConvPass> make_upsampled_backward_data(const ConvGeometry& geometry, std::int64_t threads,
                                                       bool accumulate) {
    return std::make_unique<OwnBackwardData<Correlation>>(kPhase, geometry, accumulate,
                                                          plan_upsampled_backward_data(geometry), threads);
}

std::unique_ptr<ConvPass> make_upsampled_weight_gradient(const ConvGeometry& geometry, std::int64_t threads) {
    return std::make_unique<OwnBackwardWeights<KernelGradients>>(kPhase, geometry,
                                                                 plan_upsampled_weight_gradient(geometry), threads);
}

}  // namespace sluice::onednn
