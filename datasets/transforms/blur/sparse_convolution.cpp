#include "blur/sparse_convolution.hpp"

#include <algorithm>
#include <cstdlib>

#include "geometry/reflect.hpp"

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
    scratch.rows.resize(taps.size());
    for (std::int64_t y = 0; y < height; ++y) {
        for (std::size_t i = 0; i < taps.size(); ++i) {
            const std::int64_t row = (y + reach_y + taps[i].y) * padded_row;
            scratch.rows[i] = {taps[i].weight, scratch.padded.data() + row + (reach_x + taps[i].x) * from.channels};
        }
        rounded_sums(scratch.rows, count, to + y * count);
    }
}

}  // namespace sluice::transforms
