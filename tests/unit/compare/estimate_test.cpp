#include "compare/estimate.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace sluice::compare {
namespace {

TEST(Estimate, of_few_values_is_their_mean_and_students_interval) {
    const Estimate four = estimate({1.0, 2.0, 2.0, 1.0}, 0.0);  // neighbours are not alike
    EXPECT_DOUBLE_EQ(four.mean, 1.5);
    const Interval interval = interval_of(four);
    EXPECT_NEAR(interval.low, 1.5 - 3.1824 * 0.57735 / 2.0, 1e-4);  // Student's 95 % of 3 degrees of freedom
    EXPECT_DOUBLE_EQ(interval.high - 1.5, 1.5 - interval.low);
}

TEST(Estimate, leaves_out_what_is_no_number) {
    const Estimate one = estimate({std::nan(""), 4.0, std::nan("")}, 0.0);
    EXPECT_EQ(one.mean, 4.0);
    EXPECT_FALSE(one.has_error());
    EXPECT_FALSE(estimate({}, 0.0).is_known());
    EXPECT_FALSE(estimate({std::nan("")}, 0.0).is_known());
}

// The 95 % hold for values of which each depends on the one before.
TEST(Estimate, covers_the_mean_although_neighbours_are_alike) {
    std::mt19937 random(7);
    std::normal_distribution<double> normal;
    int covered = 0;
    constexpr int kTrials = 1000;
    for (int trial = 0; trial < kTrials; ++trial) {
        std::vector<double> values;
        double last = 0.0;
        for (int i = 0; i < 320; ++i) {
            last = 0.9 * last + normal(random);
            values.push_back(100.0 + last);
        }
        const Interval interval = interval_of(estimate(values, 0.0));
        covered += interval.low <= 100.0 && interval.high >= 100.0 ? 1 : 0;
    }
    EXPECT_GE(covered, 0.93 * kTrials);
}

TEST(Estimate, takes_equal_runs_for_no_closer_than_they_are) {
    const std::vector<double> values(100, 2.0);
    EXPECT_FALSE(estimate(values, 0.0).has_error());
    EXPECT_NEAR(estimate(values, 0.02).error, 0.02, 1e-12);
}

TEST(Estimate, of_the_middle_is_not_moved_by_interruptions) {
    std::vector<double> values(80, 1.0);
    values[10] = values[50] = 100.0;
    EXPECT_EQ(estimate(values, 0.0, Centre::middle).mean, 1.0);
    EXPECT_EQ(estimate(values, 0.1, Centre::middle).error, 0.1);
    EXPECT_GT(estimate(values, 0.0).mean, 3.0);
}

TEST(EstimateLast, takes_a_trend_for_no_noise) {
    const Estimate straight = estimate_last({1.0, 2.0, 3.0, 4.0});
    EXPECT_EQ(straight.mean, 4.0);
    EXPECT_FALSE(straight.has_error());
    EXPECT_LT(estimate_last({1.0, 2.0, 3.0, 4.01}).error, 0.01);
    EXPECT_TRUE(estimate_last({1.0, 2.0, std::nan("")}).is_lost);
    EXPECT_GT(estimate_last({1.0, 2.0, 2.5, 4.0}).error, 0.1);
    EXPECT_FALSE(estimate_last({1.0, 2.0}).has_error());
    EXPECT_EQ(estimate_last({1.0, 2.0}).mean, 2.0);
}

TEST(Contrast, has_difference_ratio_and_chance) {
    const Estimate a{.mean = 10.0, .error = 0.1, .freedom = 30.0};
    const Estimate b{.mean = 11.0, .error = 0.1, .freedom = 30.0};
    const Contrast change = contrast(a, b);
    EXPECT_DOUBLE_EQ(change.difference.value, 1.0);
    EXPECT_NEAR(change.difference.low, 1.0 - 2.0003 * 0.1414, 1e-3);
    EXPECT_DOUBLE_EQ(change.ratio.value, 1.1);
    EXPECT_GT(change.ratio.low, 1.06);
    EXPECT_LT(change.ratio.high, 1.14);
    EXPECT_LT(change.chance, 1e-6);
    EXPECT_NEAR(contrast(a, a).chance, 1.0, 1e-12);
}

TEST(Contrast, without_errors_is_a_point_and_proves_nothing) {
    const Contrast change = contrast({.mean = 2.0}, {.mean = 3.0});
    EXPECT_EQ(change.difference.low, 1.0);
    EXPECT_EQ(change.difference.high, 1.0);
    EXPECT_EQ(change.chance, 1.0);
    EXPECT_TRUE(std::isnan(contrast({.mean = 0.0}, {.mean = 3.0}).ratio.value));
}

TEST(Contrast, of_exact_values_is_certain) {
    const Estimate a{.mean = 2.0, .error = 0.0, .freedom = 3.0};
    const Estimate b{.mean = 3.0, .error = 0.0, .freedom = 3.0};
    EXPECT_EQ(contrast(a, b).chance, 0.0);
    EXPECT_EQ(contrast(a, a).chance, 1.0);
}

}  // namespace
}  // namespace sluice::compare
