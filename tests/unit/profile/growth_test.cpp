// Some series of memory count as growing.
#include "profile/growth.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

namespace sluice::profile {
namespace {

// Returns a value each second, with noise of `noise` bytes.
MemorySeries series_of(int seconds, double noise, const std::function<double(double)>& bytes) {
    MemorySeries series;
    std::mt19937 random(3);
    std::uniform_real_distribution<double> deviation(-noise, noise);
    for (int i = 0; i < seconds; ++i) {
        series.seconds.push_back(i);
        series.bytes.push_back(bytes(i) + deviation(random));
        series.steps.push_back(10.0 * i);
    }
    return series;
}

TEST(Growth, of_a_leak_has_its_slope) {
    const auto growth = growth_of(series_of(600, 2e6, [](double time) { return 1e9 + 1e5 * time; }));
    ASSERT_TRUE(growth);
    EXPECT_NEAR(growth->bytes_per_second, 1e5, 5e3);
    EXPECT_NEAR(growth->bytes_per_hour(), 3.6e8, 2e7);
    EXPECT_NEAR(growth->bytes_per_step, 1e4, 5e2);
    EXPECT_NEAR(growth->seconds, 299, 2);
}

TEST(Growth, of_a_long_leak_looks_at_few_of_its_points) {
    const auto growth = growth_of(series_of(20000, 2e6, [](double time) { return 1e9 + 1e5 * time; }));
    ASSERT_TRUE(growth);
    EXPECT_NEAR(growth->bytes_per_second, 1e5, 1e3);
}

TEST(Growth, is_none_if_memory_is_steady) {
    EXPECT_FALSE(growth_of(series_of(600, 2e7, [](double) { return 1e9; })));
    EXPECT_FALSE(growth_of(series_of(600, 0.0, [](double) { return 1e9; })));
    EXPECT_FALSE(growth_of(series_of(600, 0.0, [](double time) { return 1e9 - 1e5 * time; })));
}

// 1 % of 1 GB in 10 minutes is 16.7 kB a second.
TEST(Growth, is_none_if_it_is_slow) {
    EXPECT_FALSE(growth_of(series_of(600, 0.0, [](double time) { return 1e9 + 1.5e4 * time; })));
    EXPECT_TRUE(growth_of(series_of(600, 0.0, [](double time) { return 1e9 + 1.9e4 * time; })));
}

TEST(Growth, is_none_while_caches_fill) {
    EXPECT_FALSE(growth_of(series_of(600, 1e5, [](double time) { return 1e9 - 8e8 * std::exp(-time / 60.0); })));
    EXPECT_FALSE(growth_of(series_of(600, 1e5, [](double time) { return time < 450 ? 1e9 : 1.5e9; })));  // one step
}

TEST(Growth, is_none_of_a_short_run) {
    EXPECT_FALSE(growth_of(series_of(110, 0.0, [](double time) { return 1e9 + 1e6 * time; })));
    EXPECT_TRUE(growth_of(series_of(130, 0.0, [](double time) { return 1e9 + 1e6 * time; })));
    EXPECT_FALSE(growth_of({}));
    EXPECT_FALSE(growth_of({{0.0, 1000.0}, {1.0, 2e9}, {}}));  // too few points
}

TEST(Growth, needs_no_steps) {
    MemorySeries series = series_of(600, 0.0, [](double time) { return 1e9 + 1e5 * time; });
    series.steps.clear();
    EXPECT_EQ(growth_of(series).value().bytes_per_step, 0.0);
}

}  // namespace
}  // namespace sluice::profile
