// Transform `random_resized_crop`. Pictures whose pixels are their coordinates show which window was drawn.
#include <algorithm>
#include <cmath>

#include "pictures.hpp"
#include "unit/datasets/transforms/plain_resample.hpp"
#include "unit/datasets/transforms/transform_test.hpp"
#include "unit/folder_test.hpp"

namespace sluice::data {
namespace {

std::string crop(const std::string& options) { return "use = \"random_resized_crop\", " + options; }

struct Window {
    int top = 0;
    int left = 0;
    int height = 0;
    int width = 0;
};

// Returns the window of a ramp that was scaled up by the nearest pixel.
Window window_of(const Image& ramp) {
    const auto [top, bottom] = std::pair(ramp.at(0, 0, 0), ramp.at(ramp.height - 1, 0, 0));
    const auto [left, right] = std::pair(ramp.at(0, 0, 1), ramp.at(0, ramp.width - 1, 1));
    return {top, left, bottom - top + 1, right - left + 1};
}

Image cut(const Image& from, const Window& window) {
    Image to{window.height, window.width, from.channels, {}};
    for (std::int64_t y = 0; y < window.height; ++y) {
        for (std::int64_t x = 0; x < window.width * from.channels; ++x) {
            to.add(from.at(window.top + y, window.left + x / from.channels, x % from.channels));
        }
    }
    return to;
}

// Returns the drawn windows, which are the same for all methods and for all sources of a size.
std::vector<Window> windows(const std::string& source, const std::string& options, int count) {
    const Chain chain = chain_of(crop("size = [128, 128], method = \"nearest\", " + options), source + ", ramp = true");
    Chain::Worker worker(chain);
    std::vector<Window> all;
    for (int epoch = 0; epoch < count; ++epoch) {
        const Sample& sample = worker.make(static_cast<std::uint64_t>(epoch), 0);
        EXPECT_EQ(image_of(sample, "second"), image_of(sample, "first"));
        all.push_back(window_of(image_of(sample, "first")));
    }
    return all;
}

TEST(random_resized_crop, scales_the_same_window_of_all_pictures) {
    const std::vector<Window> drawn = windows("size = [20, 30]", "area = [0.1, 0.9]", 10);
    for (const std::string method : {"area", "bilinear", "bicubic"}) {
        const Chain chain = chain_of(crop("size = [11, 17], area = [0.1, 0.9], method = \"" + method + "\""));
        for (std::size_t i = 0; i < drawn.size(); ++i) {
            const auto plain = [&](std::string_view field) {
                return test::plain_resample(cut(given(field), drawn[i]), method, 11, 17);
            };
            EXPECT_LE(greatest_difference(made(chain, "first", i), plain("first")), 1) << method << i;
            EXPECT_LE(greatest_difference(made(chain, "second", i), plain("second")), 1) << method << i;
            const Image map = cut(given("map"), drawn[i]);
            const Image scaled = made(chain, "map", i);
            EXPECT_EQ(scaled.at(3, 8), map.at(7 * map.height / 22, 17 * map.width / 34));
        }
    }
}

// Expects about as many values in each tenth of [least, greatest].
void expect_uniform(const std::vector<double>& values, double least, double greatest) {
    std::vector<int> counts(10);
    for (const double value : values) {
        const auto tenth = static_cast<std::int64_t>((value - least) / (greatest - least) * 10.0);
        ++counts[static_cast<std::size_t>(std::clamp<std::int64_t>(tenth, 0, 9))];
    }
    const double expected = static_cast<double>(values.size()) / 10.0;
    for (const int count : counts) {
        EXPECT_NEAR(count, expected, 5.0 * std::sqrt(expected));
    }
}

TEST(random_resized_crop, draws_area_and_logarithm_of_the_ratio_and_the_place_uniformly) {
    // All of these windows fit, so that none is drawn again.
    const std::vector<Window> drawn = windows("size = [120, 120]", "area = [0.1, 0.45], ratio = [0.5, 2.0]", 2000);
    std::vector<double> areas;
    std::vector<double> ratios;
    std::vector<double> tops;
    std::vector<double> lefts;
    for (const Window& window : drawn) {
        areas.push_back(window.height * window.width / (120.0 * 120.0));
        ratios.push_back(std::log(static_cast<double>(window.width) / window.height));
        tops.push_back((window.top + 0.5) / (121 - window.height));
        lefts.push_back((window.left + 0.5) / (121 - window.width));
    }
    expect_uniform(areas, 0.1, 0.45);
    expect_uniform(ratios, std::log(0.5), std::log(2.0));
    expect_uniform(tops, 0.0, 1.0);
    expect_uniform(lefts, 0.0, 1.0);
}

TEST(random_resized_crop, draws_again_what_does_not_fit) {
    for (const Window& window : windows("size = [100, 40]", "area = [0.3, 1.0], ratio = [0.3, 3.0]", 300)) {
        EXPECT_GE(window.height * window.width, 0.28 * 100 * 40);
        EXPECT_GE(static_cast<double>(window.width) / window.height, 0.28);
    }
}

TEST(random_resized_crop, takes_the_middle_if_nothing_fits) {
    const Window tall = windows("size = [100, 4]", "area = [0.9, 1.0], ratio = [1.0, 1.0]", 1).front();
    EXPECT_EQ(std::pair(tall.top, tall.height), std::pair(48, 4));
    EXPECT_EQ(std::pair(tall.left, tall.width), std::pair(0, 4));
    const Window wide = windows("size = [4, 100]", "area = [0.9, 1.0], ratio = [0.5, 2.0]", 1).front();
    EXPECT_EQ(std::pair(wide.left, wide.width), std::pair(46, 8));
}

TEST(random_resized_crop, draws_by_key) { expect_draws_by_key(crop("size = [8, 8]"), "first"); }

TEST(random_resized_crop, refuses_options_and_pictures_that_do_not_fit) {
    expect_contains(refusal(crop("area = [0.1, 1.0]")), {"needs option 'size'"});
    expect_contains(refusal(crop("size = [8, 8], area = [0.5, 0.2]")), {"'area'", "0.5", "greater than the second"});
    expect_contains(refusal(crop("size = [8, 8], area = [0.5, 1.5]")), {"area[1]", "1.5"});
    expect_contains(refusal(crop("size = [8, 8], ratio = [0.0, 1.5]")), {"ratio[0]"});
    const Chain chain = chain_of(crop("size = [8, 8]"), "size = [20, 30], second_size = [20, 31]");
    expect_contains(error_of([&] { made(chain, "first"); }), {"'first' is 30x20", "'second' is 31x20", "same size"});
}

// Compares windows of files that are pushed below the decode with windows after a cache.
class ScaledWindows : public FolderTest {
protected:
    static void expect_same_after_a_cache(const std::string& last) {
        const Chain pushed = chain_of_files(last);
        const Chain full = chain_of_files(last, "{ use = \"cache\" }, ");
        for (std::uint64_t epoch = 0; epoch < 20; ++epoch) {
            for (std::uint64_t i = 0; i < pushed.length(); ++i) {
                ASSERT_EQ(made(pushed, "sharp", epoch, i), made(full, "sharp", epoch, i)) << last << i << "." << epoch;
            }
        }
    }
};

TEST_F(ScaledWindows, have_the_same_bytes_with_and_without_push_down) {
    const test::Picture picture = test::make_picture(61, 83);
    write("p/a.jpg", jpeg_of(picture));
    write("p/b.jpg", jpeg_of(picture, {.across = 1, .down = 1, .progressive = true}));
    write("p/c.jpg", jpeg_of(picture, {.orientation = 6}));
    write("p/d.png", png_of(picture));
    expect_same_after_a_cache(crop("size = [24, 24], area = [0.05, 0.9]"));
    expect_same_after_a_cache(crop("size = [100, 90], method = \"bicubic\""));
    expect_same_after_a_cache("use = \"resize\", size = [24, 24]");
    expect_same_after_a_cache("use = \"resize\", short_edge = 24, method = \"area\"");
}

}  // namespace
}  // namespace sluice::data
