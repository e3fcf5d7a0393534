#include "conv/weight_gradient.hpp"

#include <algorithm>

#include "conv/backward_weights.hpp"
#include "conv/swapped_weights.hpp"

namespace sluice::onednn {
namespace {

// With AVX-512, oneDNN computes 16 filters at once; with at most half as many, swapping the roles is faster.
constexpr std::int64_t kFewFilters = 8;

}  // namespace

std::unique_ptr<ConvPass> make_weight_gradient(const dnnl::engine& engine, const ConvGeometry& geometry,
                                               const dnnl::convolution_forward::primitive_desc& forward_desc,
                                               std::int64_t threads) {
    const auto reaches = [&](const ConvAxis& axis) { return std::max(axis.before, axis.after) < geometry.kernel; };
    const bool plain = geometry.stride == 1 && geometry.dilation == 1 && geometry.groups == 1 &&
                       reaches(geometry.height) && reaches(geometry.width);
    if (plain && geometry.filters <= kFewFilters && geometry.channels > kFewFilters) {
        return std::make_unique<SwappedWeights>(engine, geometry, threads);
    }
    return std::make_unique<ConvBackwardWeights>(engine, geometry, forward_desc);
}

}  // namespace sluice::onednn
