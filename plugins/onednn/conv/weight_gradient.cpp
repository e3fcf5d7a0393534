#include "conv/weight_gradient.hpp"

#include <algorithm>

#include "conv/backward_weights.hpp"
#include "conv/swapped_weights.hpp"

namespace sluice::onednn {
namespace {

// Above this size of one source image, oneDNN's weight gradient is 1.2 to 3 times slower in nhwc than in its blocked
// layout, reorders included; below it, they are alike (oneDNN 2.6.3 and 3.7, Zen 5, 8 to 33 MB against 4.5 MB).
constexpr std::uint64_t kBlockedImageBytes = 6U << 20U;

// With AVX-512, oneDNN computes 16 filters at once; with at most half as many, swapping the roles is faster.
constexpr std::int64_t kFewFilters = 8;

}  // namespace

dnnl::memory::format_tag weight_gradient_layout(const ConvGeometry& geometry) {
    const std::uint64_t image = geometry.source_bytes() / static_cast<std::uint64_t>(geometry.batch);
    return image > kBlockedImageBytes ? dnnl::memory::format_tag::any : dnnl::memory::format_tag::nhwc;
}

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
