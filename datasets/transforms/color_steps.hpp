// Changes of colour, on planes of red, green and blue in float32, 0 to 255. Each cuts off what goes beyond these.
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

// brightness: all times `amount`. contrast: the distance from the picture's mean grey times `amount`. saturation: the
// distance from the pixel's own grey times `amount`. hue: turned by `amount` of the whole circle, -1/2 to 1/2, in HSV.
// Grey is 0.299 red + 0.587 green + 0.114 blue (ITU-R BT.601).
void apply_color_step(ColorStep step, float amount, const Planes& planes);

}  // namespace sluice::transforms
