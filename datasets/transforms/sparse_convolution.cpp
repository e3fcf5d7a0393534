#include "sparse_convolution.hpp"

#include <algorithm>
#include <cstdlib>

#include "reflect.hpp"

namespace sluice::transforms {
namespace {

// One row with `reach` pixels more at each end. to: [width + 2 * reach, channels]
void pad_row(const std::uint8_t* from, std::int64_t width, std::int64_t channels, std::int64_t reach, float* to) {
    float* middle = to + reach * channels;
    for (std::int64_t i = 0; i < width * channels; ++i) {
        middle[i] = static_cast<float>(from[i]);
    }
    for (std::int64_t x = 1; x <= reach; ++x) {
        for (std::int64_t c = 0; c < channels; ++c) {
            middle[-x * channels + c] = middle[reflect(-x, width) * channels + c];
            middle[(width - 1 + x) * channels + c] = middle[reflect(width - 1 + x, width) * channels + c];
        }
    }
}

}  // namespace

void convolve(const Picture& from, std::span<const Tap> taps, ConvolutionScratch& scratch, std::uint8_t* to) {
    std::int64_t reach_x = 0;
    std::int64_t reach_y = 0;
    for (const Tap& tap : taps) {
        reach_x = std::max<std::int64_t>(reach_x, std::abs(tap.x));
        reach_y = std::max<std::int64_t>(reach_y, std::abs(tap.y));
    }
    const auto [height, width] = from.extent;
    const std::int64_t padded_row = (width + 2 * reach_x) * from.channels;
    scratch.padded.resize(static_cast<std::size_t>((height + 2 * reach_y) * padded_row));
    for (std::int64_t y = -reach_y; y < height + reach_y; ++y) {
        pad_row(from.bytes + reflect(y, height) * from.row_bytes(), width, from.channels, reach_x,
                scratch.padded.data() + (y + reach_y) * padded_row);
    }

    const std::int64_t count = from.row_bytes();
    for (std::int64_t y = 0; y < height; ++y) {
        scratch.row.assign(static_cast<std::size_t>(count), 0.5F);  // so that the cast below rounds
        float* sum = scratch.row.data();
        for (const Tap& tap : taps) {
            const float* source =
                scratch.padded.data() + (y + reach_y + tap.y) * padded_row + (reach_x + tap.x) * from.channels;
            for (std::int64_t i = 0; i < count; ++i) {
                sum[i] += tap.weight * source[i];
            }
        }
        for (std::int64_t i = 0; i < count; ++i) {
            *to++ = static_cast<std::uint8_t>(sum[i]);
        }
    }
}

}  // namespace sluice::transforms
