// The source `synthetic`, loaded from disk.
#include <gtest/gtest.h>

#include <numeric>
#include <set>
#include <span>

#include "unit/data/data_test_chain.hpp"

namespace sluice::data {
namespace {

// A chain of that source alone.
class Synthetic {
public:
    explicit Synthetic(const std::string& options, std::uint64_t seed = 7)
        : chain_(make_chain("source = { use = \"synthetic\", " + options + " }", seed)), worker_(chain_) {}

    [[nodiscard]] const Chain& chain() const { return chain_; }
    std::vector<std::uint8_t> image(std::uint64_t index, std::size_t field = 0) {
        const std::span<const std::uint8_t> bytes = worker_.make(0, index).fields.at(field).tensor.bytes;
        return {bytes.begin(), bytes.end()};
    }
    std::int64_t label(std::uint64_t index) {
        return worker_.make(0, index).fields.back().tensor.as<std::int64_t>()[0];
    }

private:
    Chain chain_;
    Chain::Worker worker_;
};

TEST(synthetic, has_the_fields_that_were_declared) {
    const Synthetic source(R"(count = 5, images = ["blurred", "sharp"], size = [8, 12], channels = 4, classes = 10)");
    EXPECT_EQ(source.chain().length(), 5U);
    const auto fields = source.chain().fields();
    ASSERT_EQ(fields.size(), 3U);
    EXPECT_EQ(fields[1].name, "sharp");
    EXPECT_EQ(fields[1].role, SLUICE_FIELD_IMAGE);
    EXPECT_TRUE(fields[1].spec == make_spec(kUint8, {8, 12, 4}));
    EXPECT_EQ(fields[2].name, "label");
    EXPECT_EQ(fields[2].role, SLUICE_FIELD_CLASS);
    EXPECT_TRUE(fields[2].spec == make_spec(kInt64, {}));
    EXPECT_EQ(Synthetic("size = [8, 8]").chain().fields().size(), 1U);
}

TEST(synthetic, samples_depend_on_seed_index_and_field_only) {
    const std::string options = R"(images = ["a", "b"], size = [9, 7])";
    Synthetic source(options);
    const std::vector<std::uint8_t> first = source.image(3);
    EXPECT_NE(source.image(4), first);
    EXPECT_NE(source.image(3, 1), first);
    EXPECT_EQ(source.image(3), first);
    EXPECT_EQ(Synthetic(options).image(3), first);
    EXPECT_NE(Synthetic(options, 8).image(3), first);
}

TEST(synthetic, noise_is_uniform_and_fills_odd_sizes) {
    Synthetic source("size = [101, 51], channels = 1");
    const std::vector<std::uint8_t> image = source.image(0);
    ASSERT_EQ(image.size(), 101U * 51U);
    EXPECT_EQ(std::set<std::uint8_t>(image.begin(), image.end()).size(), 256U);
    // The mean of 5151 values from 0 to 255 has a standard deviation of 1.03.
    EXPECT_NEAR(std::accumulate(image.begin(), image.end(), 0.0) / 5151.0, 127.5, 5.0);
}

TEST(synthetic, labels_are_class_numbers) {
    Synthetic source("size = [1, 1], classes = 3");
    std::set<std::int64_t> seen;
    for (std::uint64_t index = 0; index < 50; ++index) {
        seen.insert(source.label(index));
    }
    EXPECT_EQ(seen, (std::set<std::int64_t>{0, 1, 2}));
}

TEST(synthetic, refuses_two_fields_of_one_name) {
    EXPECT_NE(error_of([] { Synthetic(R"(images = ["a", "a"])"); }).find("the same name"), std::string::npos);
    EXPECT_NE(error_of([] { Synthetic(R"(images = ["label"], classes = 2)"); }).find("'label'"), std::string::npos);
}

}  // namespace
}  // namespace sluice::data
