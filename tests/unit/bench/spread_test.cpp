#include "bench/spread.hpp"

#include <gtest/gtest.h>

namespace sluice::test {
namespace {

TEST(Spread, quartiles_lie_between_values_in_proportion) {
    const bench::Spread spread = bench::spread_of({4.0, 1.0, 3.0, 2.0});
    EXPECT_DOUBLE_EQ(spread.least, 1.0);
    EXPECT_DOUBLE_EQ(spread.lower_quartile, 1.75);
    EXPECT_DOUBLE_EQ(spread.median, 2.5);
    EXPECT_DOUBLE_EQ(spread.upper_quartile, 3.25);
    EXPECT_DOUBLE_EQ(spread.most, 4.0);
    EXPECT_DOUBLE_EQ(bench::spread_of({7.0}).upper_quartile, 7.0);
}

}  // namespace
}  // namespace sluice::test
