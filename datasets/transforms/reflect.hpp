// What is seen beyond the borders of a picture that is mirrored there.
#pragma once

#include <cstdint>
#include <cstdlib>

namespace sluice::transforms {

// The pixel that is seen at `i` in a row of `count` mirrors: 2 1 [0 1 2] 1 0.
inline std::int64_t reflect(std::int64_t i, std::int64_t count) {
    if (count == 1) {
        return 0;
    }
    const std::int64_t period = 2 * (count - 1);
    i = std::abs(i) % period;
    return i < count ? i : period - i;
}

}  // namespace sluice::transforms
