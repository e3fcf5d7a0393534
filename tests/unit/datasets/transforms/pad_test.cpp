// Transform `pad`.
#include "unit/datasets/transforms/transform_test.hpp"

namespace sluice::data {
namespace {

std::string pad(const std::string& options) { return "use = \"pad\", " + options; }

struct Borders {
    std::int64_t top = 0;
    std::int64_t bottom = 0;
    std::int64_t left = 0;
    std::int64_t right = 0;
};

// Returns the place in a row of `count` pixels from which place `i` gets its value, or -1 if it gets none.
std::int64_t source_of(const std::string& mode, std::int64_t i, std::int64_t count) {
    if (mode == "edge") {
        return i < 0 ? 0 : i >= count ? count - 1 : i;
    }
    while (mode == "reflect" && (i < 0 || i >= count)) {
        i = i < 0 ? -i : 2 * (count - 1) - i;
    }
    return i < 0 || i >= count ? -1 : i;
}

Image plain_pad(const Image& from, const Borders& borders, const std::string& mode, int value) {
    Image to{from.height + borders.top + borders.bottom, from.width + borders.left + borders.right, from.channels, {}};
    for (std::int64_t y = 0; y < to.height; ++y) {
        for (std::int64_t x = 0; x < to.width; ++x) {
            const std::int64_t row = source_of(mode, y - borders.top, from.height);
            const std::int64_t column = source_of(mode, x - borders.left, from.width);
            for (std::int64_t c = 0; c < from.channels; ++c) {
                to.add(row < 0 || column < 0 ? value : from.at(row, column, c));
            }
        }
    }
    return to;
}

TEST(pad, puts_borders_around_all_pictures) {
    for (const std::string mode : {"constant", "edge", "reflect"}) {
        const Chain chain = chain_of(pad("borders = [3, 25, 70, 1], value = 9, mode = \"" + mode + "\""));
        const Borders borders{3, 25, 70, 1};
        EXPECT_EQ(made(chain, "first"), plain_pad(given("first"), borders, mode, 9)) << mode;
        EXPECT_EQ(made(chain, "second"), plain_pad(given("second"), borders, mode, 9)) << mode;
        EXPECT_EQ(made(chain, "map"), plain_pad(given("map"), borders, mode, 255)) << mode;
        EXPECT_EQ(chain.fields()[0].spec.shape[0], 48);
    }
}

TEST(pad, takes_one_or_two_numbers_for_four) {
    EXPECT_EQ(made(chain_of(pad("borders = [4]")), "first"), plain_pad(given("first"), {4, 4, 4, 4}, "constant", 0));
    EXPECT_EQ(made(chain_of(pad("borders = [4, 0]")), "first"), plain_pad(given("first"), {4, 4, 0, 0}, "constant", 0));
    EXPECT_EQ(made(chain_of(pad("borders = [1], label_value = 0")), "map"),
              plain_pad(given("map"), {1, 1, 1, 1}, "constant", 0));
}

TEST(pad, makes_small_pictures_as_large_as_is_asked_for) {
    const Chain chain = chain_of(pad("at_least = [25, 10], mode = \"edge\""), "varies = true");
    EXPECT_EQ(made(chain, "first"), plain_pad(given("first"), {2, 3, 0, 0}, "edge", 0));
    EXPECT_EQ(chain.fields()[0].spec.shape[0], -1);
}

TEST(pad, mirrors_single_pixels) {
    EXPECT_EQ(made(chain_of(pad("borders = [2], mode = \"reflect\""), "size = [1, 1]"), "first"),
              plain_pad(given("first", "size = [1, 1]"), {2, 2, 2, 2}, "edge", 0));
}

TEST(pad, refuses_options_that_do_not_fit) {
    expect_contains(refusal("use = \"pad\""), {"'borders'", "'at_least'", "needed"});
    expect_contains(refusal(pad("borders = [1], at_least = [2, 2]")), {"exactly one of the options"});
    expect_contains(refusal(pad("borders = [1, 2, 3]")), {"'borders' has 3 numbers", "1 (all)"});
    expect_contains(refusal(pad("borders = [-1]")), {"borders[0]", "-1"});
    expect_contains(refusal(pad("borders = [1], value = 256")), {"value", "255"});
}

}  // namespace
}  // namespace sluice::data
