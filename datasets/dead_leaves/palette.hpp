// The few colours that one image is made of.
#pragma once

#include <array>

#include "sluice/sdk/data.hpp"

namespace sluice::dead_leaves {

// sRGB, 0 to 255; may lie outside until it is written.
struct Colour {
    float red = 0.0F;
    float green = 0.0F;
    float blue = 0.0F;
};

class Palette {
public:
    explicit Palette(sdk::Draws& draws);
    // One of the palette's colours, a little off and lighter or darker.
    [[nodiscard]] Colour draw(sdk::Draws& draws) const;

private:
    // Opponent axes, which in natural images hardly correlate (Ruderman, Cronin, Chiao 1998).
    struct Opponent {
        float light = 0.0F;
        float yellow = 0.0F;  // against blue
        float red = 0.0F;     // against green
    };

    std::array<Opponent, 5> colours_;
};

}  // namespace sluice::dead_leaves
