// Transform `cutout`. In a picture of one colour, the hole has another colour.
#include <algorithm>
#include <cmath>

#include "unit/datasets/transforms/transform_test.hpp"

namespace sluice::data {
namespace {

std::string cutout(const std::string& options) { return "use = \"cutout\", " + options; }

// The number of pixels that are not `value`, and the rectangle around them.
struct Hole {
    std::int64_t pixels = 0;
    std::int64_t top = 1000;
    std::int64_t left = 1000;
    std::int64_t bottom = -1;
    std::int64_t right = -1;
    [[nodiscard]] std::int64_t height() const { return bottom - top + 1; }
    [[nodiscard]] std::int64_t width() const { return right - left + 1; }
};

Hole find_hole(const Image& image, int value) {
    Hole hole;
    for (std::int64_t y = 0; y < image.height; ++y) {
        for (std::int64_t x = 0; x < image.width; ++x) {
            if (image.at(y, x) != value) {
                ++hole.pixels;
                hole.top = std::min(hole.top, y);
                hole.left = std::min(hole.left, x);
                hole.bottom = std::max(hole.bottom, y);
                hole.right = std::max(hole.right, x);
            }
        }
    }
    return hole;
}

TEST(cutout, makes_one_hole_of_drawn_area_and_ratio) {
    const Chain chain = chain_of(cutout("area = [0.1, 0.2], ratio = [0.5, 2.0], value = 7"),
                                 "flat = 90, size = [60, 60], channels = 1");
    Chain::Worker worker(chain);
    double area = 0.0;
    double ratio = 0.0;
    for (std::uint64_t epoch = 0; epoch < 400; ++epoch) {
        const Hole hole = find_hole(image_of(worker.make(epoch, 0), "first"), 90);
        ASSERT_EQ(hole.pixels, hole.height() * hole.width());  // the hole is one rectangle
        ASSERT_GT(hole.pixels, 0.09 * 3600);
        ASSERT_LT(hole.pixels, 0.22 * 3600);
        area += static_cast<double>(hole.pixels) / 3600 / 400;
        ratio += std::log(static_cast<double>(hole.width()) / static_cast<double>(hole.height())) / 400;
    }
    EXPECT_NEAR(area, 0.15, 0.008);  // five standard deviations of the mean are tolerated
    EXPECT_NEAR(ratio, 0.0, 0.1);
}

TEST(cutout, cuts_off_what_protrudes_of_a_hole_of_fixed_size) {
    const Chain chain = chain_of(cutout("size = [6, 10], value = 7"), "flat = 90");
    Chain::Worker worker(chain);
    bool was_cut = false;
    bool was_whole = false;
    for (std::uint64_t epoch = 0; epoch < 200; ++epoch) {
        const Image image = image_of(worker.make(epoch, 0), "first");
        const Hole hole = find_hole(image, 90);
        ASSERT_EQ(hole.pixels, hole.height() * hole.width());
        ASSERT_GE(hole.height(), 3);
        ASSERT_GE(hole.width(), 5);
        ASSERT_LE(hole.height(), 6);
        ASSERT_LE(hole.width(), 10);
        was_cut = was_cut || hole.pixels < 60;
        was_whole = was_whole || hole.pixels == 60;
        ASSERT_EQ(image.at(hole.top, hole.left, 2), 7);
    }
    EXPECT_TRUE(was_cut && was_whole);
}

TEST(cutout, makes_the_same_holes_in_all_images_and_leaves_what_is_around_them) {
    const std::string holes = "holes = 3, size = [5, 5], value = 0, label_value = 99";
    const Chain chain = chain_of(cutout("fields = [\"first\", \"second\", \"map\"], " + holes));
    const Image of_flat = made(chain_of(cutout(holes), "flat = 90"), "first");
    const auto plain = [&](const std::string& field, int value) {
        Image image = given(field);
        for (std::int64_t y = 0; y < image.height; ++y) {
            for (std::int64_t x = 0; x < image.width * image.channels; ++x) {
                if (of_flat.at(y, x / image.channels) == 0) {
                    image.pixels[static_cast<std::size_t>(y * image.width * image.channels + x)] =
                        static_cast<std::uint8_t>(value);
                }
            }
        }
        return image;
    };
    EXPECT_GT(find_hole(of_flat, 90).pixels, 25);
    EXPECT_EQ(made(chain, "first"), plain("first", 0));
    EXPECT_EQ(made(chain, "second"), plain("second", 0));
    EXPECT_EQ(made(chain, "map"), plain("map", 99));
    EXPECT_EQ(chain.fields().size(), 5U);
    EXPECT_EQ(made(chain_of(cutout(holes)), "map"), given("map"));  // `fields` does not name it
}

TEST(cutout, spares_some_samples_as_probability_says) {
    const Chain chain = chain_of(cutout("probability = 0.25, value = 7, area = [0.1, 0.1]"), "flat = 90");
    Chain::Worker worker(chain);
    int with_holes = 0;
    for (std::uint64_t epoch = 0; epoch < 1000; ++epoch) {
        with_holes += find_hole(image_of(worker.make(epoch, 0), "first"), 90).pixels > 0 ? 1 : 0;
    }
    EXPECT_NEAR(with_holes, 250, 70);  // five standard deviations are tolerated
}

TEST(cutout, fills_with_noise) {
    const Chain chain = chain_of(cutout("size = [40, 60], fill = \"noise\""), "flat = 90");
    const Image image = made(chain, "first");
    std::array<bool, 256> seen{};
    for (const std::uint8_t byte : image.pixels) {
        seen[byte] = true;
    }
    EXPECT_GT(std::ranges::count(seen, true), 150);
    EXPECT_NE(image.pixels, made(chain, "second").pixels);
}

TEST(cutout, draws_by_key) { expect_draws_by_key(cutout("size = [4, 4]"), "first"); }

TEST(cutout, refuses_options_that_do_not_fit) {
    expect_contains(refusal(cutout("holes = 0")), {"holes", "1"});
    expect_contains(refusal(cutout("area = [0.3, 0.2]")), {"'area'", "greater than the second"});
    expect_contains(refusal(cutout("probability = 1.5")), {"probability"});
    expect_contains(refusal(cutout("fill = \"blue\"")), {"fill", "noise"});
}

}  // namespace
}  // namespace sluice::data
