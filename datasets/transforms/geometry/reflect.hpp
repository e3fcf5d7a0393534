// Mirrors positions beyond the borders of a picture.
#pragma once

#include <cstdint>
#include <cstdlib>

namespace sluice::transforms {

// Maps position `i` to a pixel of a row of `count` pixels, without repeating the outermost pixels: 2 1 [0 1 2] 1 0.
inline std::int64_t reflect(std::int64_t i, std::int64_t count) {
    if (count == 1) {
        return 0;
    }
    const std::int64_t period = 2 * (count - 1);
    i = std::abs(i) % period;
    return i < count ? i : period - i;
}

}  // namespace sluice::transforms
