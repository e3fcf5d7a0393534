#include "conv/arithmetic.hpp"

namespace sluice::onednn {
namespace {

// Counts the pairs of a position of `count` and one of `taps` taps whose sum lies in an axis of `extent` elements.
struct TapAxis {
    std::int64_t count;
    std::int64_t stride;
    std::int64_t taps;
    std::int64_t step;
    std::int64_t before;
    std::int64_t extent;
};

double count_pairs(const TapAxis& axis) {
    std::int64_t pairs = 0;
    for (std::int64_t i = 0; i < axis.count; ++i) {
        for (std::int64_t tap = 0; tap < axis.taps; ++tap) {
            const std::int64_t element = i * axis.stride + tap * axis.step - axis.before;
            pairs += element >= 0 && element < axis.extent ? 1 : 0;
        }
    }
    return static_cast<double>(pairs);
}

}  // namespace

double direct_flops(const ConvGeometry& geometry) {
    const auto pairs = [&](const ConvAxis& axis) {
        return count_pairs({.count = axis.out,
                            .stride = geometry.stride,
                            .taps = geometry.kernel,
                            .step = geometry.dilation,
                            .before = axis.before,
                            .extent = axis.in + 2 * geometry.border});
    };
    return 2.0 * static_cast<double>(geometry.batch * geometry.filters * (geometry.channels / geometry.groups)) *
           pairs(geometry.height) * pairs(geometry.width);
}

double direct_flops(const TransposeGeometry& geometry) {
    const auto pairs = [&](std::size_t axis) {
        return count_pairs({.count = geometry.in[axis],
                            .stride = geometry.stride,
                            .taps = geometry.kernel,
                            .step = 1,
                            .before = geometry.before[axis],
                            .extent = geometry.out[axis]});
    };
    return 2.0 * static_cast<double>(geometry.batch * geometry.filters * geometry.channels) * pairs(0) * pairs(1);
}

}  // namespace sluice::onednn
