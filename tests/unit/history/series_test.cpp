#include "history/series.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace sluice::history {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

Series counted_to(int count) {
    Series series{.name = "loss"};
    for (int i = 1; i <= count; ++i) {
        series.add(10.0 * i, i);
    }
    return series;
}

TEST(Series, is_cut_after_a_step) {
    Series series = counted_to(5);
    series.cut_after(30.0);
    EXPECT_EQ(series.steps, (std::vector<double>{10.0, 20.0, 30.0}));
    EXPECT_EQ(series.values, (std::vector<double>{1.0, 2.0, 3.0}));
}

TEST(Series, is_thinned_to_means) {
    const Series thin = thinned(counted_to(10), 4);
    EXPECT_EQ(thin.name, "loss");
    EXPECT_EQ(thin.steps, (std::vector<double>{30.0, 60.0, 90.0, 100.0}));
    EXPECT_EQ(thin.values, (std::vector<double>{2.0, 5.0, 8.0, 10.0}));
    EXPECT_EQ(thinned(counted_to(4), 4).steps.size(), 4U);
}

TEST(Series, of_unknown_values_keeps_the_known_ones) {
    Series series;
    for (const double value : {1.0, kUnknown, kUnknown, kUnknown}) {
        series.add(static_cast<double>(series.steps.size()), value);
    }
    const Series thin = thinned(series, 2);
    ASSERT_EQ(thin.values.size(), 2U);
    EXPECT_EQ(thin.values[0], 1.0);
    EXPECT_TRUE(std::isnan(thin.values[1]));
}

}  // namespace
}  // namespace sluice::history
