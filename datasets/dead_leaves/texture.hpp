// The surface of one leaf.
#pragma once

#include "noise_tile.hpp"
#include "palette.hpp"

namespace sluice::dead_leaves {

class Texture {
public:
    Texture(sdk::Draws& draws, const Palette& palette, const NoiseTiles& tiles, float radius);

    // (x, y): pixels from the leaf's centre.
    [[nodiscard]] Colour at(float x, float y) const;

private:
    enum class Pattern { plain, stripes, grid, spots };

    // The share of the second colour, from 0 to 1, before contrast.
    [[nodiscard]] float mixture(float x, float y, float noise) const;

    Pattern pattern_ = Pattern::plain;
    Colour first_;
    Colour second_;
    const NoiseTile* tile_;
    // Grain: noise stretched along one direction.
    float along_x_ = 0.0F;
    float along_y_ = 0.0F;
    float across_x_ = 0.0F;
    float across_y_ = 0.0F;
    float offset_ = 0.0F;
    float grain_ = 0.0F;  // its contrast
    // Finer grain on top, the same in all directions.
    const NoiseTile* fine_tile_;
    float fine_scale_ = 1.0F;
    float fine_grain_ = 0.0F;
    // Light that falls off to one side; relative change per pixel.
    float slope_x_ = 0.0F;
    float slope_y_ = 0.0F;
    // The pattern's waves.
    float wave_x_ = 0.0F;
    float wave_y_ = 0.0F;
    float warp_ = 0.0F;   // how far noise shifts them, in waves
    float edge_ = 1.0F;   // how abrupt they are
    float depth_ = 0.0F;  // how much of the second colour there is at most
};

}  // namespace sluice::dead_leaves
