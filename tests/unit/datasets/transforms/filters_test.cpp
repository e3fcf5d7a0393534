// Transforms `gaussian_blur`, `gaussian_noise` and `jpeg_artifacts`.
#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "pictures.hpp"
#include "unit/datasets/transforms/transform_test.hpp"
#include "unit/folder_test.hpp"

namespace sluice::data {
namespace {

std::int64_t mirrored(std::int64_t i, std::int64_t count) {
    while (count > 1 && (i < 0 || i >= count)) {
        i = i < 0 ? -i : 2 * (count - 1) - i;
    }
    return count > 1 ? i : 0;
}

// Computes every pixel of the result from all pixels around it, in both directions at once.
Image plain_blur(const Image& from, double sigma) {
    const auto reach = static_cast<std::int64_t>(std::ceil(3.0 * sigma));
    const auto weight = [&](std::int64_t k) { return std::exp(-static_cast<double>(k * k) / (2.0 * sigma * sigma)); };
    Image to{from.height, from.width, from.channels, {}};
    for (std::int64_t i = 0; i < from.height * from.width * from.channels; ++i) {
        const std::int64_t x = i / from.channels % from.width;
        const std::int64_t y = i / from.channels / from.width;
        double sum = 0.0;
        double weights = 0.0;
        for (std::int64_t k = -reach; k <= reach; ++k) {
            for (std::int64_t l = -reach; l <= reach; ++l) {
                sum += weight(k) * weight(l) *
                       from.at(mirrored(y + k, from.height), mirrored(x + l, from.width), i % from.channels);
                weights += weight(k) * weight(l);
            }
        }
        to.add(std::round(sum / weights));
    }
    return to;
}

TEST(gaussian_blur, has_the_pixels_of_the_plain_version) {
    for (const double sigma : {0.01, 0.5, 1.0, 2.5, 9.0}) {
        for (const std::string source : {"size = [7, 5]", "size = [9, 12], channels = 1", "size = [1, 4]"}) {
            const Chain chain = chain_of("use = \"gaussian_blur\", sigma = " + std::to_string(sigma), source);
            EXPECT_LE(greatest_difference(made(chain, "first"), plain_blur(given("first", source), sigma)), 1)
                << sigma << ", " << source;
        }
    }
}

TEST(gaussian_blur, keeps_flat_pictures_flat) {
    for (const int value : {0, 1, 200, 255}) {
        const Image to =
            made(chain_of("use = \"gaussian_blur\", sigma = 3.3", "flat = " + std::to_string(value)), "first");
        EXPECT_EQ(to.pixels, std::vector<std::uint8_t>(to.pixels.size(), static_cast<std::uint8_t>(value)));
    }
}

TEST(gaussian_blur, blurs_all_images_alike_and_no_label_map) {
    const Chain chain = chain_of("use = \"gaussian_blur\", sigma_range = [0.5, 2.0]", "ramp = true, size = [20, 200]");
    EXPECT_EQ(made(chain, "first"), made(chain, "second"));
    EXPECT_EQ(made(chain, "map"), given("map", "ramp = true, size = [20, 200]"));
}

TEST(gaussian_blur, draws_by_key) { expect_draws_by_key("use = \"gaussian_blur\", sigma_range = [0.5, 3.0]", "first"); }

TEST(gaussian_blur, refuses_options_that_do_not_fit) {
    expect_contains(refusal("use = \"gaussian_blur\", sigma = 0.0"), {"sigma", "0.01"});
    expect_contains(refusal("use = \"gaussian_blur\", sigma_range = [2.0, 1.0]"), {"'sigma_range'", "greater"});
    expect_contains(refusal("use = \"gaussian_blur\", fields = [\"map\"]"), {"'map' is a label map"});
}

// Returns the share of the standard normal distribution below z.
double normal_share(double z) { return 0.5 * std::erfc(-z / std::sqrt(2.0)); }

TEST(gaussian_noise, is_normal_and_different_in_all_images) {
    const Chain chain = chain_of("use = \"gaussian_noise\", sigma = 20.0", "flat = 128, size = [200, 200]");
    const Image first = made(chain, "first");
    const Image second = made(chain, "second");
    std::vector<double> counts(256);
    double product = 0.0;
    for (std::size_t i = 0; i < first.pixels.size(); ++i) {
        ++counts[first.pixels[i]];
        product += (first.pixels[i] - 128.0) * (second.pixels[i] - 128.0);
    }
    const auto total = static_cast<double>(first.pixels.size());
    for (int value = 60; value < 197; ++value) {
        const double expected =
            total * (normal_share((value + 0.5 - 128.0) / 20.0) - normal_share((value - 0.5 - 128.0) / 20.0));
        EXPECT_NEAR(counts[static_cast<std::size_t>(value)], expected, 5.0 * std::sqrt(expected) + 1.0) << value;
    }
    EXPECT_NEAR(product / total / 400.0, 0.0, 5.0 / std::sqrt(total));
    EXPECT_EQ(made(chain, "map"), given("map", "flat = 128, size = [200, 200]"));
}

TEST(gaussian_noise, is_independent_of_the_next_byte) {
    const Image image =
        made(chain_of("use = \"gaussian_noise\", sigma = 20.0", "flat = 128, size = [200, 200]"), "first");
    for (const std::size_t step : {1U, 2U, 3U, 600U}) {
        double product = 0.0;
        for (std::size_t i = step; i < image.pixels.size(); ++i) {
            product += (image.pixels[i] - 128.0) * (image.pixels[i - step] - 128.0);
        }
        const auto total = static_cast<double>(image.pixels.size() - step);
        EXPECT_NEAR(product / total / 400.0, 0.0, 5.0 / std::sqrt(total)) << step;
    }
}

TEST(gaussian_noise, draws_its_strength) {
    const Chain chain = chain_of("use = \"gaussian_noise\", sigma_range = [2.0, 20.0]", "flat = 128, size = [40, 40]");
    double least = 1e9;
    double greatest = 0.0;
    for (std::uint64_t epoch = 0; epoch < 30; ++epoch) {
        const Image image = made(chain, "first", epoch);
        double square = 0.0;
        for (const std::uint8_t byte : image.pixels) {
            square += (byte - 128.0) * (byte - 128.0) / static_cast<double>(image.pixels.size());
        }
        least = std::min(least, std::sqrt(square));
        greatest = std::max(greatest, std::sqrt(square));
    }
    EXPECT_GT(least, 1.8);
    EXPECT_LT(least, 5.0);
    EXPECT_GT(greatest, 16.0);
    EXPECT_LT(greatest, 21.0);
}

TEST(gaussian_noise, stays_within_a_byte) {
    const Chain chain = chain_of("use = \"gaussian_noise\", sigma = 3.0", "flat = 255");
    const Image image = made(chain, "first");
    EXPECT_GT(std::ranges::min(image.pixels), 230);
    EXPECT_EQ(made(chain_of("use = \"gaussian_noise\", sigma = 0.0"), "first"), given("first"));
}

TEST(gaussian_noise, draws_by_key) { expect_draws_by_key("use = \"gaussian_noise\"", "first"); }

TEST(gaussian_noise, refuses_options_that_do_not_fit) {
    expect_contains(refusal("use = \"gaussian_noise\", sigma = -1.0"), {"sigma"});
    expect_contains(refusal("use = \"gaussian_noise\", sigma_range = [2.0, 1.0]"), {"'sigma_range'", "greater"});
}

TEST(jpeg_artifacts, grow_as_the_quality_falls) {
    const std::string source = "ramp = true, size = [50, 70]";
    const Image from = given("first", source);
    double before = 0.0;
    for (const std::string quality : {"100", "80", "40", "10", "1"}) {
        const Image to = made(chain_of("use = \"jpeg_artifacts\", quality = " + quality, source), "first");
        const double now = mean_difference(from, to);
        EXPECT_GT(now, before) << quality;
        before = now;
    }
    EXPECT_GT(before, 3.0);
    EXPECT_LT(
        mean_difference(
            from, made(chain_of("use = \"jpeg_artifacts\", quality = 100, subsampling = \"4:4:4\"", source), "first")),
        1.5);
}

class JpegArtifacts : public FolderTest {};

TEST_F(JpegArtifacts, are_those_of_a_file_of_that_quality) {
    for (const auto& [across, down, subsampling] : {std::tuple(1, 1, "4:4:4"), {2, 1, "4:2:2"}, {2, 2, "4:2:0"}}) {
        const Image from = given("first");
        // The default quality of jpeg_of() is 95.
        write("p/a.jpg", jpeg_of(test::Picture{20, 30, 3, from.pixels}, {.across = across, .down = down}));
        const Chain of_file = make_chain("source = { use = \"photos\", folder = \"p\" }\nmap = [{ use = \"decode\" }]");
        const Chain chain =
            chain_of("use = \"jpeg_artifacts\", quality = 95, subsampling = \"" + std::string(subsampling) + "\"");
        EXPECT_EQ(made(chain, "first"), made(of_file, "sharp")) << subsampling;
    }
}

TEST(jpeg_artifacts, draws_whole_numbers_both_ends_included) {
    const Chain chain = chain_of("use = \"jpeg_artifacts\", quality_range = [20, 22]", "size = [8, 8]");
    std::map<std::vector<std::uint8_t>, int> seen;
    for (std::uint64_t epoch = 0; epoch < 300; ++epoch) {
        ++seen[made(chain, "first", epoch).pixels];
    }
    ASSERT_EQ(seen.size(), 3U);
    for (const auto& [pixels, count] : seen) {
        EXPECT_NEAR(count, 100, 41);  // five standard deviations are tolerated
    }
    for (const std::string quality : {"20", "21", "22"}) {
        const Image image = made(chain_of("use = \"jpeg_artifacts\", quality = " + quality, "size = [8, 8]"), "first");
        EXPECT_EQ(seen.count(image.pixels), 1U);
    }
}

TEST(jpeg_artifacts, are_of_one_quality_in_all_images_and_not_in_label_maps) {
    const Chain chain = chain_of("use = \"jpeg_artifacts\", quality_range = [1, 100]", "ramp = true");
    EXPECT_EQ(made(chain, "first"), made(chain, "second"));
    EXPECT_EQ(made(chain, "map"), given("map", "ramp = true"));
}

TEST(jpeg_artifacts, refuse_options_and_fields_that_do_not_fit) {
    expect_contains(refusal("use = \"jpeg_artifacts\", quality = 0"), {"quality", "at least 1"});
    expect_contains(refusal("use = \"jpeg_artifacts\", quality_range = [9, 1]"), {"'quality_range'", "greater"});
    expect_contains(refusal("use = \"jpeg_artifacts\"", "channels = 4"), {"'first'", "3 channels"});
}

}  // namespace
}  // namespace sluice::data
