#include "base/peaks/bandwidth.hpp"

#include <gtest/gtest.h>

namespace sluice::test {
namespace {

TEST(Bandwidth, is_the_best_from_the_next_smaller_size_on) {
    const std::vector<Bandwidth> measured{{100, 9.0, 8.0, 7.0}, {1000, 3.0, 2.0, 4.0}, {10000, 5.0, 1.0, 1.0}};
    EXPECT_EQ(bandwidth_for(measured, 100.0), 9.0);
    EXPECT_EQ(bandwidth_for(measured, 101.0), 9.0);
    EXPECT_EQ(bandwidth_for(measured, 50.0), 9.0);
    EXPECT_EQ(bandwidth_for(measured, 1000.0), 5.0);
    EXPECT_EQ(bandwidth_for(measured, 1e6), 5.0);
}

}  // namespace
}  // namespace sluice::test
