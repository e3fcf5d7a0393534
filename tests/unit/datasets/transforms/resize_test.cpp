// Transform `resize`, compared with plain code that computes each pixel from every source pixel, in doubles.
#include "unit/datasets/transforms/plain_resample.hpp"
#include "unit/datasets/transforms/transform_test.hpp"

namespace sluice::data {
namespace {

std::string resize(const std::string& options) { return "use = \"resize\", " + options; }

TEST(resize, has_the_pixels_of_the_plain_version) {
    for (const std::string method : {"area", "bilinear", "bicubic"}) {
        for (const auto& [height, width] : {std::pair{7, 9}, {20, 30}, {41, 55}, {5, 70}, {1, 1}, {13, 30}}) {
            for (const std::string source : {"channels = 3", "channels = 1", "channels = 2"}) {
                const Chain chain = chain_of(resize("method = \"" + method + "\", size = [" + std::to_string(height) +
                                                    ", " + std::to_string(width) + "]"),
                                             source);
                const Image plain = test::plain_resample(given("first", source), method, height, width);
                EXPECT_LE(greatest_difference(made(chain, "first"), plain), 1)
                    << method << " to " << height << "x" << width << ", " << source;
            }
        }
    }
}

TEST(resize, leaves_a_picture_of_that_size_as_it_is) {
    for (const std::string method : {"nearest", "area", "bilinear", "bicubic"}) {
        const Chain chain = chain_of(resize("size = [20, 30], method = \"" + method + "\""));
        EXPECT_EQ(made(chain, "first"), given("first")) << method;
    }
}

TEST(resize, averages_whole_pixels_by_area) {
    const Image from = given("first");
    const Image to = made(chain_of(resize("size = [10, 10], method = \"area\"")), "first");
    for (std::int64_t y = 0; y < 10; ++y) {
        for (std::int64_t x = 0; x < 10; ++x) {
            for (std::int64_t c = 0; c < 3; ++c) {
                int sum = 0;
                for (std::int64_t i = 0; i < 6; ++i) {
                    sum += from.at(2 * y + i / 3, 3 * x + i % 3, c);
                }
                EXPECT_NEAR(to.at(y, x, c), sum / 6.0, 0.5 + 1e-3);
            }
        }
    }
}

TEST(resize, keeps_flat_pictures_flat) {
    for (const std::string method : {"nearest", "area", "bilinear", "bicubic"}) {
        for (const int value : {0, 1, 128, 255}) {
            const Chain chain =
                chain_of(resize("size = [13, 47], method = \"" + method + "\""), "flat = " + std::to_string(value));
            const Image to = made(chain, "first");
            EXPECT_EQ(to.pixels, std::vector<std::uint8_t>(to.pixels.size(), static_cast<std::uint8_t>(value)))
                << method;
        }
    }
}

TEST(resize, takes_the_nearest_pixel_of_label_maps) {
    const Image from = given("map");
    const Image to = made(chain_of(resize("size = [7, 61], method = \"bicubic\"")), "map");
    ASSERT_EQ(to.height, 7);
    ASSERT_EQ(to.width, 61);
    for (std::int64_t y = 0; y < 7; ++y) {
        for (std::int64_t x = 0; x < 61; ++x) {
            EXPECT_EQ(to.at(y, x), from.at((2 * y + 1) * 20 / 14, (2 * x + 1) * 30 / 122));
        }
    }
}

TEST(resize, scales_by_the_shorter_edge) {
    const auto size_of = [](const std::string& source, int edge) {
        const Image to = made(chain_of(resize("short_edge = " + std::to_string(edge)), source), "first");
        return std::pair(to.height, to.width);
    };
    EXPECT_EQ(size_of("size = [20, 30]", 13), std::pair(std::int64_t{13}, std::int64_t{19}));
    EXPECT_EQ(size_of("size = [30, 20]", 13), std::pair(std::int64_t{19}, std::int64_t{13}));
    EXPECT_EQ(size_of("size = [20, 20]", 50), std::pair(std::int64_t{50}, std::int64_t{50}));
    const Chain of_unknown = chain_of(resize("short_edge = 10"), "varies = true");
    EXPECT_EQ(of_unknown.fields()[0].spec.shape[0], -1);
    EXPECT_EQ(made(of_unknown, "first").width, 15);
}

TEST(resize, works_on_named_fields_alone) {
    const Chain chain = chain_of(resize("size = [5, 6], fields = [\"second\"]"));
    EXPECT_EQ(made(chain, "first"), given("first"));
    EXPECT_EQ(made(chain, "second").height, 5);
    EXPECT_EQ(made(chain, "map"), given("map"));
}

TEST(resize, refuses_options_that_do_not_fit) {
    expect_contains(refusal(resize("method = \"area\"")), {"resize", "'size'", "'short_edge'", "needed"});
    expect_contains(refusal(resize("size = [3, 4], short_edge = 5")), {"resize", "exactly one of the options"});
    expect_contains(refusal(resize("size = [3, 0]")), {"test.toml:2", "size[1]"});
    expect_contains(refusal(resize("size = [3, 4], method = \"lanczos\"")), {"method", "bicubic"});
    expect_contains(refusal(resize("size = [3, 4], fields = [\"label\"]")), {"'label'", "class number"});
}

}  // namespace
}  // namespace sluice::data
