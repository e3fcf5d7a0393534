#include "palette.hpp"

#include <algorithm>

#include "random_draws.hpp"

namespace sluice::dead_leaves {
namespace {

// Measured on 200 photographs, on the scale of 0 to 255.
constexpr float kMeanLight = 112.0F;
constexpr float kLightOfImages = 26.0F;   // deviation between images
constexpr float kLightOfColours = 46.0F;  // deviation within one image
constexpr float kMeanYellow = 13.0F;
constexpr float kLightOfLeaves = 16.0F;
constexpr float kTintOfLeaves = 5.0F;

}  // namespace

Palette::Palette(sdk::Draws& draws) {
    const float light = kMeanLight + kLightOfImages * normal(draws);
    const float yellow = kMeanYellow + 11.0F * normal(draws);
    const float red = 5.0F * normal(draws);
    const float contrast = log_between(draws, 0.55F, 1.5F);
    const float vividness = log_between(draws, 0.3F, 1.8F);
    for (Opponent& colour : colours_) {
        const float vivid = vividness * (happens(draws, 0.15F) ? 2.5F : 1.0F);
        colour = {.light = light + contrast * kLightOfColours * normal(draws),
                  .yellow = yellow + vivid * 20.0F * normal(draws),
                  .red = red + vivid * 13.0F * normal(draws)};
    }
}

Colour Palette::draw(sdk::Draws& draws) const {
    Opponent colour = colours_[static_cast<std::size_t>(draws.below(std::ssize(colours_)))];
    colour.light = std::clamp(colour.light + kLightOfLeaves * normal(draws), 4.0F, 251.0F);
    // Dark colours have little saturation.
    const float room = std::min(1.0F, colour.light / 70.0F);
    colour.yellow = room * (colour.yellow + kTintOfLeaves * normal(draws));
    colour.red = room * (colour.red + kTintOfLeaves * normal(draws));
    return {.red = colour.light + 0.5F * colour.yellow + colour.red,
            .green = colour.light + 0.3F * colour.yellow - 0.5F * colour.red,
            .blue = colour.light - 1.3F * colour.yellow};
}

}  // namespace sluice::dead_leaves
