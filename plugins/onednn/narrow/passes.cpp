#include "narrow/passes.hpp"

#include "conv/own_passes.hpp"
#include "narrow/narrow_correlation.hpp"

namespace sluice::onednn {
namespace {

constexpr const char* kName = "narrow";
constexpr std::int64_t kFewChannels = 8;

bool plain(const ConvGeometry& geometry) {
    return geometry.kernel > 1 && geometry.stride == 1 && geometry.dilation == 1 && geometry.groups == 1;
}

}  // namespace

bool narrow_output_fits(const ConvGeometry& geometry) { return plain(geometry) && geometry.filters <= kFewChannels; }
bool narrow_input_fits(const ConvGeometry& geometry) { return plain(geometry) && geometry.channels <= kFewChannels; }

std::unique_ptr<ConvPass> make_narrow_forward(const ConvGeometry& geometry, std::int64_t threads) {
    return std::make_unique<OwnForward<NarrowCorrelation>>(kName, geometry, plan_narrow_forward(geometry), threads);
}

std::unique_ptr<ConvPass> make_narrow_backward_data(const ConvGeometry& geometry, std::int64_t threads,
                                                    bool accumulate) {
    return std::make_unique<OwnBackwardData<NarrowCorrelation>>(kName, geometry, accumulate,
                                                                plan_narrow_backward_data(geometry), threads);
}

}  // namespace sluice::onednn
