// An image that is painted from the front to the back, so that what is hidden is never computed.
#pragma once

#include <cstdint>
#include <vector>

#include "leaf.hpp"
#include "texture.hpp"

namespace sluice::dead_leaves {

// A leaf in its place.
struct Placed {
    const Leaf& leaf;
    const Texture& texture;
    float x = 0.0F;  // of its centre, pixels
    float y = 0.0F;
    float edge = 1.0F;      // how wide the transition at its outline is, pixels
    float shadow = 0.0F;    // how dark it makes what lies behind and beside it, 0 to 1
    float penumbra = 1.0F;  // how far its shadow reaches, pixels
};

class Canvas {
public:
    void clear(std::int64_t height, std::int64_t width);
    // Puts a leaf behind all that is there already.
    void paint_behind(const Placed& placed);
    // Fills what is still open.
    void fill(const Texture& background);
    [[nodiscard]] bool is_covered() const { return open_pixels_ == 0; }
    // rgb: [height, width, 3]
    void write(std::uint8_t* rgb) const;

private:
    struct Pixel {
        Colour colour;
        float open = 1.0F;   // the share of it that nothing covers yet
        float light = 1.0F;  // what shadows leave of the light behind it
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
