#include "run/weights/initializers.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace sluice::run {
namespace {

std::vector<float> filled(std::int32_t initializer, const std::string& name = "conv/kernel", std::uint64_t seed = 7) {
    std::vector<float> values(100000);
    fill_initial(values, {name, {}, initializer, 0.5, 50, 150}, seed);
    return values;
}

double mean(const std::vector<float>& v) {
    return std::accumulate(v.begin(), v.end(), 0.0) / static_cast<double>(v.size());
}

double deviation(const std::vector<float>& v) {
    const double m = mean(v);
    return std::sqrt(
        std::accumulate(v.begin(), v.end(), 0.0, [&](double s, float x) { return s + (x - m) * (x - m); }) /
        static_cast<double>(v.size()));
}

TEST(Initializers, have_the_moments_of_their_definition) {
    const double uniform = 1.0 / std::sqrt(3.0);  // standard deviation of a uniform number in [-1, 1)
    const std::pair<std::int32_t, double> expected[] = {
        {SLUICE_INIT_NORMAL, 0.5},
        {SLUICE_INIT_UNIFORM, 0.5 * uniform},
        {SLUICE_INIT_GLOROT_UNIFORM, std::sqrt(6.0 / 200.0) * uniform},
        {SLUICE_INIT_GLOROT_NORMAL, std::sqrt(2.0 / 200.0)},
        {SLUICE_INIT_HE_UNIFORM, std::sqrt(6.0 / 50.0) * uniform},
        {SLUICE_INIT_HE_NORMAL, std::sqrt(2.0 / 50.0)},
    };
    for (const auto& [initializer, wanted] : expected) {
        const std::vector<float> values = filled(initializer);
        EXPECT_NEAR(mean(values), 0.0, 0.01 * wanted + 0.002) << initializer;
        EXPECT_NEAR(deviation(values), wanted, 0.01 * wanted) << initializer;
    }
    EXPECT_EQ(filled(SLUICE_INIT_ZEROS).front(), 0.0F);
    EXPECT_EQ(filled(SLUICE_INIT_ONES).front(), 1.0F);
    EXPECT_EQ(filled(SLUICE_INIT_CONSTANT).front(), 0.5F);
}

TEST(Initializers, depend_on_seed_and_path_alone) {
    EXPECT_EQ(filled(SLUICE_INIT_NORMAL), filled(SLUICE_INIT_NORMAL));
    EXPECT_NE(filled(SLUICE_INIT_NORMAL), filled(SLUICE_INIT_NORMAL, "other/kernel"));
    EXPECT_NE(filled(SLUICE_INIT_NORMAL), filled(SLUICE_INIT_NORMAL, "conv/kernel", 8));
}

TEST(Initializers, parts_have_the_values_of_the_whole) {
    for (const std::int32_t initializer : {SLUICE_INIT_NORMAL, SLUICE_INIT_UNIFORM, SLUICE_INIT_ONES}) {
        const std::vector<float> whole = filled(initializer);
        std::vector<float> part(333);
        fill_initial(part, {"conv/kernel", {}, initializer, 0.5, 50, 150}, 7, 4096);
        EXPECT_TRUE(std::equal(part.begin(), part.end(), whole.begin() + 4096)) << initializer;
    }
}

}  // namespace
}  // namespace sluice::run
