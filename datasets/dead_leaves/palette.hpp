// The few base colours of one image.
#pragma once

#include <array>

#include "sluice/sdk/data.hpp"

namespace sluice::dead_leaves {

// sRGB, 0 to 255; may exceed this range until it is written.
struct Colour {
    float red = 0.0F;
    float green = 0.0F;
    float blue = 0.0F;
};

class Palette {
public:
    explicit Palette(sdk::Draws& draws);
    // Draws one of the palette's colours with small changes of hue and lightness.
    [[nodiscard]] Colour draw(sdk::Draws& draws) const;

private:
    // Opponent colour axes, which are nearly uncorrelated in natural images (Ruderman, Cronin, Chiao 1998).
    struct Opponent {
        float light = 0.0F;
        float yellow = 0.0F;  // against blue
        float red = 0.0F;     // against green
    };

    std::array<Opponent, 5> colours_;
};

}  // namespace sluice::dead_leaves
