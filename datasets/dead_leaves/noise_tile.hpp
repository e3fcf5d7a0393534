// A square of noise that repeats seamlessly: the grain of all textures.
#pragma once

#include <array>
#include <cmath>
#include <vector>

#include "sluice/sdk/data.hpp"

namespace sluice::dead_leaves {

// Rounds down. std::floor would be a function call on processors without a rounding instruction.
inline std::int32_t whole_part(float x) {
    const auto cut = static_cast<std::int32_t>(x);
    return cut - (x < static_cast<float>(cut) ? 1 : 0);
}

class NoiseTile {
public:
    // A sum of octaves of value noise. Each octave has `gain` times the deviation of the next coarser one. The result
    // has mean 0 and deviation 1.
    NoiseTile(sdk::Draws draws, float gain);

    // The value at any point, interpolated linearly between entries.
    [[nodiscard]] float at(float x, float y) const {
        const std::int32_t left = whole_part(x);
        const std::int32_t top = whole_part(y);
        const std::uint32_t column = static_cast<std::uint32_t>(left) % kSide;
        const std::uint32_t row = static_cast<std::uint32_t>(top) % kSide;
        const float* const here = &values_[row * kSide];
        const float* const below = &values_[(row + 1) % kSide * kSide];
        const std::uint32_t right = (column + 1) % kSide;
        const float along = x - static_cast<float>(left);
        const float upper = here[column] + along * (here[right] - here[column]);
        const float lower = below[column] + along * (below[right] - below[column]);
        return upper + (y - static_cast<float>(top)) * (lower - upper);
    }

private:
    static constexpr std::uint32_t kSide = 128;  // 64 KiB: three tiles fit into the second-level cache

    void add_octave(sdk::Draws& draws, std::uint32_t cells, float amplitude);
    void normalize();

    std::vector<float> values_;  // [kSide, kSide]
};

// Three tiles, from coarse (clouds) to fine (sand).
using NoiseTiles = std::array<NoiseTile, 3>;
NoiseTiles make_noise_tiles();

}  // namespace sluice::dead_leaves
