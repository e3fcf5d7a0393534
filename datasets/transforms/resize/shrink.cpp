#include "resize/shrink.hpp"

#include <algorithm>

namespace sluice::transforms {

Window enlarged(const Window& window, std::int64_t times, Extent whole) {
    const std::int64_t top = window.top * times;
    const std::int64_t left = window.left * times;
    return {top,
            left,
            {std::min(window.extent.height * times, whole.height - top),
             std::min(window.extent.width * times, whole.width - left)}};
}

void average(const Picture& from, std::int64_t times, std::uint8_t* to) {
    const Extent size = shrunk(from.extent, times);
    for (std::int64_t y = 0; y < size.height; ++y) {
        const std::int64_t bottom = std::min((y + 1) * times, from.extent.height);
        for (std::int64_t x = 0; x < size.width; ++x) {
            const std::int64_t right = std::min((x + 1) * times, from.extent.width);
            const std::int64_t count = (bottom - y * times) * (right - x * times);
            for (std::int64_t c = 0; c < from.channels; ++c) {
                std::int64_t sum = count / 2;  // so that the division rounds
                for (std::int64_t row = y * times; row < bottom; ++row) {
                    for (std::int64_t column = x * times; column < right; ++column) {
                        sum += from.bytes[row * from.row_bytes() + column * from.channels + c];
                    }
                }
                *to++ = static_cast<std::uint8_t>(sum / count);
            }
        }
    }
}

}  // namespace sluice::transforms
