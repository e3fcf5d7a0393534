#include "noise_tile.hpp"

#include <algorithm>

#include "random_draws.hpp"

namespace sluice::dead_leaves {
namespace {

constexpr std::uint64_t kTileSeed = 2001;  // arbitrary: the tiles do not depend on the run's seed

}  // namespace

NoiseTile::NoiseTile(sdk::Draws draws, float gain) : values_(kSide * kSide, 0.0F) {
    float amplitude = 1.0F;
    for (std::uint32_t cells = 4; cells <= kSide; cells *= 2) {
        add_octave(draws, cells, amplitude);
        amplitude *= gain;
    }
    normalize();
}

// Adds random values at cells x cells points, interpolated smoothly.
void NoiseTile::add_octave(sdk::Draws& draws, std::uint32_t cells, float amplitude) {
    std::vector<float> corners(cells * cells);
    std::generate(corners.begin(), corners.end(), [&] { return amplitude * normal(draws); });
    const std::uint32_t step = kSide / cells;
    const auto weight = [step](std::uint32_t i) {
        const float t = static_cast<float>(i % step) / static_cast<float>(step);
        return t * t * (3.0F - 2.0F * t);
    };
    for (std::uint32_t y = 0; y < kSide; ++y) {
        const float* const above = &corners[y / step * cells];
        const float* const below = &corners[(y / step + 1) % cells * cells];
        for (std::uint32_t x = 0; x < kSide; ++x) {
            const std::uint32_t left = x / step;
            const std::uint32_t right = (left + 1) % cells;
            const float upper = std::lerp(above[left], above[right], weight(x));
            const float lower = std::lerp(below[left], below[right], weight(x));
            values_[y * kSide + x] += std::lerp(upper, lower, weight(y));
        }
    }
}

void NoiseTile::normalize() {
    double sum = 0.0;
    double squares = 0.0;
    for (const float value : values_) {
        sum += value;
        squares += double{value} * value;
    }
    const auto count = static_cast<double>(values_.size());
    const double mean = sum / count;
    const double deviation = std::sqrt(squares / count - mean * mean);
    for (float& value : values_) {
        value = static_cast<float>((value - mean) / deviation);
    }
}

NoiseTiles make_noise_tiles() {
    const auto tile = [](std::uint64_t number, float gain) {
        return NoiseTile(sdk::Draws({kTileSeed, number, 0}), gain);
    };
    return {tile(0, 0.4F), tile(1, 0.6F), tile(2, 0.85F)};
}

}  // namespace sluice::dead_leaves
