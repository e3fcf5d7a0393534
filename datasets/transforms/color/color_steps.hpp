// Colour changes on planes of red, green and blue in float32, 0 to 255. Results are clamped to this range.
#pragma once

#include <cstdint>
#include <span>

namespace sluice::transforms {

enum class ColorStep : std::uint8_t { brightness, contrast, saturation, hue };

struct Planes {
    std::span<float> red;
    std::span<float> green;
    std::span<float> blue;
};

// brightness: multiplies values by `amount`. contrast: multiplies the distance from the picture's mean grey by
// `amount`. saturation: multiplies the distance from the pixel's own grey by `amount`. hue: rotates the hue in HSV by
// `amount` of the whole circle, -1/2 to 1/2. Grey is 0.299 red + 0.587 green + 0.114 blue (ITU-R BT.601).
void apply_color_step(ColorStep step, float amount, const Planes& planes);

}  // namespace sluice::transforms
