#include "color/color_steps.hpp"

#include <algorithm>

#include "sluice/sdk/clones.hpp"

namespace sluice::transforms {
namespace {

// Written so that compilers can vectorize it.
float clamped(float value) {
    value = value < 0.0F ? 0.0F : value;
    return value > 255.0F ? 255.0F : value;
}

float grey_of(float red, float green, float blue) { return 0.299F * red + 0.587F * green + 0.114F * blue; }

// grey + (value - grey) * amount
SLUICE_CLONES
void stretch(std::span<float> plane, float grey, float amount) {
    const float offset = grey - grey * amount;
    for (float& value : plane) {
        value = clamped(value * amount + offset);
    }
}

// Sums blocks of 1024 pixels in float32 and the blocks in float64, to keep precision.
float mean_grey(const Planes& planes) {
    double sum = 0.0;
    const std::size_t count = planes.red.size();
    for (std::size_t begin = 0; begin < count; begin += 1024) {
        float part = 0.0F;
        for (std::size_t i = begin; i < std::min(begin + 1024, count); ++i) {
            part += grey_of(planes.red[i], planes.green[i], planes.blue[i]);
        }
        sum += static_cast<double>(part);
    }
    return static_cast<float>(sum / static_cast<double>(count));
}

SLUICE_CLONES
void change_saturation(float amount, const Planes& planes) {
    float* const red = planes.red.data();
    float* const green = planes.green.data();
    float* const blue = planes.blue.data();
    for (std::size_t i = 0; i < planes.red.size(); ++i) {
        const float grey = grey_of(red[i], green[i], blue[i]);
        const float offset = grey - grey * amount;
        red[i] = clamped(red[i] * amount + offset);
        green[i] = clamped(green[i] * amount + offset);
        blue[i] = clamped(blue[i] * amount + offset);
    }
}

// One channel of a colour. `hue`: in sixths of the circle, 0 to 6; `of_channel`: 5 red, 3 green, 1 blue.
float channel_of(float hue, float of_channel, float greatest, float chroma) {
    float k = hue + of_channel;
    k = k >= 6.0F ? k - 6.0F : k;
    float share = k < 4.0F - k ? k : 4.0F - k;
    share = share < 0.0F ? 0.0F : share;
    share = share > 1.0F ? 1.0F : share;
    return greatest - chroma * share;
}

SLUICE_CLONES
void turn_hue(float amount, const Planes& planes) {
    float* const red = planes.red.data();
    float* const green = planes.green.data();
    float* const blue = planes.blue.data();
    const float sixths = amount * 6.0F;
    for (std::size_t i = 0; i < planes.red.size(); ++i) {
        const float r = red[i];
        const float g = green[i];
        const float b = blue[i];
        float greatest = r > g ? r : g;
        greatest = b > greatest ? b : greatest;
        float least = r < g ? r : g;
        least = b < least ? b : least;
        const float chroma = greatest - least;
        const float scale = 1.0F / (chroma > 0.0F ? chroma : 1.0F);
        const float of_red = (g - b) * scale;
        const float of_green = (b - r) * scale + 2.0F;
        const float of_blue = (r - g) * scale + 4.0F;
        float hue = greatest == g ? of_green : of_blue;
        hue = (greatest == r ? of_red : hue) + sixths;  // from -4 to 8
        hue = hue < 0.0F ? hue + 6.0F : hue;
        hue = hue >= 6.0F ? hue - 6.0F : hue;
        red[i] = channel_of(hue, 5.0F, greatest, chroma);
        green[i] = channel_of(hue, 3.0F, greatest, chroma);
        blue[i] = channel_of(hue, 1.0F, greatest, chroma);
    }
}

}  // namespace

void apply_color_step(ColorStep step, float amount, const Planes& planes) {
    switch (step) {
        case ColorStep::brightness:
        case ColorStep::contrast: {
            const float middle = step == ColorStep::contrast ? mean_grey(planes) : 0.0F;
            stretch(planes.red, middle, amount);
            stretch(planes.green, middle, amount);
            stretch(planes.blue, middle, amount);
            return;
        }
        case ColorStep::saturation:
            change_saturation(amount, planes);
            return;
        case ColorStep::hue:
            turn_hue(amount, planes);
            return;
    }
}

}  // namespace sluice::transforms
