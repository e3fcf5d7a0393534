#include "texture.hpp"

#include <algorithm>
#include <numbers>

#include "random_draws.hpp"

namespace sluice::dead_leaves {
namespace {

constexpr float kFullTurn = 2.0F * std::numbers::pi_v<float>;

// Approximates a sine of period 1, from -1 to 1, by two parabolas.
float wave(float turns) {
    const float t = turns - static_cast<float>(whole_part(turns)) - 0.5F;
    return 16.0F * t * (std::abs(t) - 0.5F);
}

}  // namespace

Texture::Texture(sdk::Draws& draws, const Palette& palette, const NoiseTiles& tiles, float radius)
    : first_(palette.draw(draws)), second_(palette.draw(draws)) {
    tile_ = &tiles[static_cast<std::size_t>(draws.below(std::ssize(tiles)))];
    const float angle = kFullTurn * draws.uniform();
    const float scale = log_between(draws, 0.2F, 2.0F);
    const float stretch = happens(draws, 0.4F) ? 1.0F : log_between(draws, 1.5F, 12.0F);
    along_x_ = std::cos(angle) * scale / stretch;
    along_y_ = std::sin(angle) * scale / stretch;
    across_x_ = -std::sin(angle) * scale;
    across_y_ = std::cos(angle) * scale;
    offset_ = 128.0F * draws.uniform();
    grain_ = happens(draws, 0.2F) ? between(draws, 0.0F, 0.03F) : log_between(draws, 0.05F, 0.5F);
    fine_tile_ = &tiles.back();
    fine_scale_ = log_between(draws, 0.7F, 2.0F);
    fine_grain_ = happens(draws, 0.2F) ? 0.0F : log_between(draws, 0.015F, 0.4F);

    const float slope = between(draws, 0.0F, 0.4F) / radius;
    const float slope_angle = kFullTurn * draws.uniform();
    slope_x_ = slope * std::cos(slope_angle);
    slope_y_ = slope * std::sin(slope_angle);

    const float kind = draws.uniform();
    pattern_ = kind < 0.55F  ? Pattern::plain
               : kind < 0.7F ? Pattern::stripes
               : kind < 0.8F ? Pattern::grid
                             : Pattern::spots;
    const float waves = 1.0F / log_between(draws, 3.0F, 24.0F);
    wave_x_ = waves * std::cos(angle);
    wave_y_ = waves * std::sin(angle);
    warp_ = happens(draws, 0.5F) ? 0.0F : between(draws, 0.05F, 0.4F);
    edge_ = log_between(draws, 0.5F, 8.0F);
    depth_ = between(draws, 0.2F, 1.0F);
}

float Texture::mixture(float x, float y, float noise) const {
    const float shift = warp_ * noise;
    switch (pattern_) {
        case Pattern::plain:
            return 0.0F;
        case Pattern::stripes:
            return wave(wave_x_ * x + wave_y_ * y + shift);
        case Pattern::grid:
            return wave(wave_x_ * x + wave_y_ * y + shift) * wave(wave_x_ * y - wave_y_ * x + shift);
        case Pattern::spots:
            return noise - 0.3F;
    }
    return 0.0F;
}

Colour Texture::at(float x, float y) const {
    const float noise = tile_->at(along_x_ * x + along_y_ * y + offset_, across_x_ * x + across_y_ * y + offset_);
    const float fine = fine_tile_->at(fine_scale_ * x, fine_scale_ * y + offset_);
    const float light = 1.0F + grain_ * noise + fine_grain_ * fine + slope_x_ * x + slope_y_ * y;
    const float mix =
        pattern_ == Pattern::plain ? 0.0F : depth_ * std::clamp(0.5F + edge_ * mixture(x, y, noise), 0.0F, 1.0F);
    return {light * (first_.red + mix * (second_.red - first_.red)),
            light * (first_.green + mix * (second_.green - first_.green)),
            light * (first_.blue + mix * (second_.blue - first_.blue))};
}

}  // namespace sluice::dead_leaves
