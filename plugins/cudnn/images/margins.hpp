// Margins of an image [N, H, W, C].
#pragma once

#include <cstdint>

namespace sluice::cudnn {

struct Margins {
    std::int64_t batch = 0;
    std::int64_t height = 0;
    std::int64_t width = 0;
    std::int64_t channels = 0;
    std::int64_t added_channels = 0;  // after them, in the result
    // Each margin is less than the extent of its axis.
    std::int64_t top = 0;
    std::int64_t bottom = 0;
    std::int64_t left = 0;
    std::int64_t right = 0;

    [[nodiscard]] std::int64_t all_channels() const { return channels + added_channels; }
    [[nodiscard]] std::int64_t padded_height() const { return top + height + bottom; }
    [[nodiscard]] std::int64_t padded_width() const { return left + width + right; }
};

}  // namespace sluice::cudnn
