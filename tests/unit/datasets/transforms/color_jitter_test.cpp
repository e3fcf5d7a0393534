// Transform `color_jitter`, compared with plain code that computes each pixel in doubles and draws from the same key.
#include <algorithm>
#include <cmath>
#include <map>

#include "base/random.hpp"
#include "unit/datasets/transforms/transform_test.hpp"

namespace sluice::data {
namespace {

std::string jitter(const std::string& options) { return "use = \"color_jitter\", " + options; }

struct Color {
    double red = 0.0;
    double green = 0.0;
    double blue = 0.0;
};

double grey_of(const Color& color) { return 0.299 * color.red + 0.587 * color.green + 0.114 * color.blue; }

std::vector<Color> colors_of(const Image& image) {
    std::vector<Color> colors;
    for (std::size_t i = 0; i < image.pixels.size(); i += 3) {
        colors.push_back({static_cast<double>(image.pixels[i]), static_cast<double>(image.pixels[i + 1]),
                          static_cast<double>(image.pixels[i + 2])});
    }
    return colors;
}

Image image_of_colors(Image like, const std::vector<Color>& colors) {
    like.pixels.clear();
    for (const Color& color : colors) {
        like.add(std::round(color.red));
        like.add(std::round(color.green));
        like.add(std::round(color.blue));
    }
    return like;
}

Color blend(const Color& color, double grey, double factor) {
    const auto one = [&](double value) { return std::clamp(factor * value + (1.0 - factor) * grey, 0.0, 255.0); };
    return {one(color.red), one(color.green), one(color.blue)};
}

std::vector<Color> with_brightness(std::vector<Color> colors, double factor) {
    std::ranges::transform(colors, colors.begin(), [&](const Color& color) { return blend(color, 0.0, factor); });
    return colors;
}

std::vector<Color> with_contrast(std::vector<Color> colors, double factor) {
    double mean = 0.0;
    for (const Color& color : colors) {
        mean += grey_of(color) / static_cast<double>(colors.size());
    }
    std::ranges::transform(colors, colors.begin(), [&](const Color& color) { return blend(color, mean, factor); });
    return colors;
}

std::vector<Color> with_saturation(std::vector<Color> colors, double factor) {
    std::ranges::transform(colors, colors.begin(),
                           [&](const Color& color) { return blend(color, grey_of(color), factor); });
    return colors;
}

// Converts to HSV and back, sector by sector (Smith 1978).
Color with_hue(const Color& color, double turn) {
    const double value = std::max({color.red, color.green, color.blue});
    const double chroma = value - std::min({color.red, color.green, color.blue});
    double hue = 0.0;
    if (chroma > 0.0) {
        hue = value == color.red     ? (color.green - color.blue) / chroma
              : value == color.green ? 2.0 + (color.blue - color.red) / chroma
                                     : 4.0 + (color.red - color.green) / chroma;
    }
    hue = hue / 6.0 + turn;
    hue = (hue - std::floor(hue)) * 6.0;
    const double saturation = value > 0.0 ? chroma / value : 0.0;
    const double f = hue - std::floor(hue);
    const double p = value * (1.0 - saturation);
    const double q = value * (1.0 - saturation * f);
    const double t = value * (1.0 - saturation * (1.0 - f));
    switch (static_cast<int>(hue)) {
        case 0:
            return {value, t, p};
        case 1:
            return {q, value, p};
        case 2:
            return {p, value, t};
        case 3:
            return {p, q, value};
        case 4:
            return {t, p, value};
        default:
            return {value, p, q};
    }
}

std::vector<Color> with_hue(std::vector<Color> colors, double turn) {
    std::ranges::transform(colors, colors.begin(), [&](const Color& color) { return with_hue(color, turn); });
    return colors;
}

using Step = std::vector<Color> (*)(std::vector<Color>, double);
struct Kind {
    std::string option;
    Step step;
    double middle;
    double spread;
};
const std::vector<Kind>& kinds() {
    static const std::vector<Kind> all = {{"brightness", with_brightness, 1.0, 0.4},
                                          {"contrast", with_contrast, 1.0, 0.4},
                                          {"saturation", with_saturation, 1.0, 0.8},
                                          {"hue", with_hue, 0.0, 0.5}};
    return all;
}

struct Drawn {
    std::array<double, 4> amounts = {};
    std::array<std::size_t, 4> order = {0, 1, 2, 3};
};

// Draws four numbers in [0, 1), then the exchanges of Fisher and Yates.
Drawn draw(std::uint64_t epoch) {
    const sluice_random_key key{7, stable_hash("data.train/0/color_jitter"), epoch << 40};
    std::array<std::uint32_t, 8> words = {};
    sluice_philox(&key, 0, words.data());
    sluice_philox(&key, 1, words.data() + 4);
    Drawn drawn;
    for (std::size_t i = 0; i < 4; ++i) {
        const Kind& kind = kinds()[i];
        drawn.amounts[i] = kind.middle + kind.spread * (2.0 * (words[i] >> 8) / 16777216.0 - 1.0);
    }
    for (std::size_t i = 3; i > 0; --i) {
        std::swap(drawn.order[i], drawn.order[(words[7 - i] * std::uint64_t{i + 1}) >> 32]);
    }
    return drawn;
}

TEST(color_jitter, makes_each_step_as_the_plain_version) {
    const Image from = given("first");
    for (std::size_t i = 0; i < 4; ++i) {
        const Kind& kind = kinds()[i];
        const Chain chain = chain_of(jitter(kind.option + " = " + std::to_string(kind.spread)));
        for (std::uint64_t epoch = 0; epoch < 30; ++epoch) {
            const double amount = draw(epoch).amounts[i];
            EXPECT_LE(greatest_difference(image_of_colors(from, kind.step(colors_of(from), amount)),
                                          made(chain, "first", epoch)),
                      1)
                << kind.option << " by " << amount;
        }
    }
}

TEST(color_jitter, makes_the_steps_in_any_order) {
    std::string all;
    for (const Kind& kind : kinds()) {
        all += (all.empty() ? "" : ", ") + kind.option + " = " + std::to_string(kind.spread);
    }
    const Chain chain = chain_of(jitter(all));
    const Image from = given("first");
    std::map<std::array<std::size_t, 4>, int> orders;
    for (std::uint64_t epoch = 0; epoch < 2400; ++epoch) {
        const Drawn drawn = draw(epoch);
        ++orders[drawn.order];
        if (epoch < 60) {
            std::vector<Color> colors = colors_of(from);
            for (const std::size_t step : drawn.order) {
                colors = kinds()[step].step(colors, drawn.amounts[step]);
            }
            EXPECT_LE(greatest_difference(image_of_colors(from, colors), made(chain, "first", epoch)), 1) << epoch;
        }
    }
    EXPECT_EQ(orders.size(), 24U);
    for (const auto& [order, count] : orders) {
        EXPECT_NEAR(count, 100, 50);  // five standard deviations are tolerated
    }
}

TEST(color_jitter, changes_all_images_alike_and_no_label_map) {
    const Chain chain = chain_of(jitter("brightness = 0.3, hue = 0.2, saturation = 0.2"), "flat = 100");
    for (std::uint64_t epoch = 0; epoch < 5; ++epoch) {
        EXPECT_EQ(made(chain, "first", epoch), made(chain, "second", epoch));
        EXPECT_EQ(made(chain, "map", epoch), given("map", "flat = 100"));
    }
}

TEST(color_jitter, changes_nothing_by_default) {
    EXPECT_EQ(made(chain_of("use = \"color_jitter\""), "first"), given("first"));
}

TEST(color_jitter, draws_by_key) { expect_draws_by_key(jitter("brightness = 0.5"), "first"); }

TEST(color_jitter, refuses_options_and_fields_that_do_not_fit) {
    expect_contains(refusal(jitter("hue = 0.6")), {"hue", "0.5"});
    expect_contains(refusal(jitter("brightness = -0.1")), {"brightness"});
    expect_contains(refusal(jitter("fields = [\"map\"]")), {"'map' is a label map", "image is needed"});
    expect_contains(refusal(jitter("hue = 0.1"), "channels = 1"), {"'first'", "3 channels"});
}

}  // namespace
}  // namespace sluice::data
