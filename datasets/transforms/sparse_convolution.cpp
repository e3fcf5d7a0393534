#include "sparse_convolution.hpp"

#include <algorithm>
#include <cstdlib>

#include "reflect.hpp"
#include "row_sums.hpp"

namespace sluice::transforms {

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
        float* const row = scratch.padded.data() + (y + reach_y) * padded_row + reach_x * from.channels;
        to_floats(from.bytes + reflect(y, height) * from.row_bytes(), from.row_bytes(), row);
        mirror_borders(width, from.channels, reach_x, row);
    }

    const std::int64_t count = from.row_bytes();
    for (std::int64_t y = 0; y < height; ++y) {
        scratch.row.assign(static_cast<std::size_t>(count), 0.5F);  // so that the cast below rounds
        float* sum = scratch.row.data();
        for (const Tap& tap : taps) {
            const float* source =
                scratch.padded.data() + (y + reach_y + tap.y) * padded_row + (reach_x + tap.x) * from.channels;
            add_scaled(tap.weight, source, count, sum);
        }
        to_bytes(sum, count, to + y * count);
    }
}

}  // namespace sluice::transforms
