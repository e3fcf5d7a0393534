// An image that is painted from front to back, so that hidden parts are never computed.
#pragma once

#include <cstdint>
#include <vector>

#include "leaf.hpp"
#include "texture.hpp"

namespace sluice::dead_leaves {

// A leaf with its position.
struct Placed {
    const Leaf& leaf;
    const Texture& texture;
    float x = 0.0F;  // of its centre, pixels
    float y = 0.0F;
    float edge = 1.0F;      // width of the transition at its outline, pixels
    float shadow = 0.0F;    // darkness of its shadow, 0 to 1
    float penumbra = 1.0F;  // reach of its shadow, pixels
};

class Canvas {
public:
    void clear(std::int64_t height, std::int64_t width);
    // Paints a leaf behind everything painted before.
    void paint_behind(const Placed& placed);
    // Paints the background behind everything, where pixels are still open.
    void fill(const Texture& background);
    [[nodiscard]] bool is_covered() const { return open_pixels_ == 0; }
    // rgb: [height, width, 3]
    void write(std::uint8_t* rgb) const;

private:
    struct Pixel {
        Colour colour;
        float open = 1.0F;   // share of the pixel that nothing covers yet
        float light = 1.0F;  // share of the light that shadows leave for what is painted behind
    };

    void paint_row(const Placed& placed, std::int64_t y);
    void cover(Pixel& pixel, float share, const Colour& colour);

    std::int64_t height_ = 0;
    std::int64_t width_ = 0;
    std::int64_t open_pixels_ = 0;
    std::vector<std::int64_t> open_in_row_;  // [height]
    std::vector<Pixel> pixels_;              // [height, width]
};

}  // namespace sluice::dead_leaves
