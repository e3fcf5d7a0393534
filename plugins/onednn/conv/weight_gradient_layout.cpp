#include "conv/weight_gradient_layout.hpp"

namespace sluice::onednn {
namespace {

// Above this size of one source image, oneDNN's weight gradient is 1.2 to 3 times slower in nhwc than in its blocked
// layout, reorders included; below it, they are alike (oneDNN 2.6.3 and 3.7, Zen 5, 8 to 33 MB against 4.5 MB).
constexpr std::uint64_t kBlockedImageBytes = 6U << 20U;

}  // namespace

dnnl::memory::format_tag weight_gradient_layout(const ConvGeometry& geometry) {
    const std::uint64_t image = geometry.source_bytes() / static_cast<std::uint64_t>(geometry.batch);
    return image > kBlockedImageBytes ? dnnl::memory::format_tag::any : dnnl::memory::format_tag::nhwc;
}

}  // namespace sluice::onednn
