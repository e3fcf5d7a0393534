// The parts of a JPEG picture that a window needs.
#pragma once

#include <algorithm>
#include <cstdint>

namespace sluice::transforms {

// Chroma is interpolated between neighbours, two pixels away at most.
inline constexpr std::int64_t kNeighbours = 4;

// The range of parts, of `step` pixels each, that an interval of pixels touches, including its neighbours.
struct Touched {
    std::int64_t first;
    std::int64_t end;
};
inline Touched touched(std::int64_t from, std::int64_t extent, std::int64_t step, std::int64_t count) {
    return {std::max<std::int64_t>(from - kNeighbours, 0) / step,
            std::min((from + extent + kNeighbours + step - 1) / step, count)};
}

}  // namespace sluice::transforms
