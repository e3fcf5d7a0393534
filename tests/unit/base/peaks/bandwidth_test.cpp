#include "base/peaks/bandwidth.hpp"

#include <gtest/gtest.h>

namespace sluice::test {
namespace {

TEST(Bandwidth, is_the_best_of_the_sizes_that_hold_the_bytes) {
    const std::vector<Bandwidth> measured{{100, 9.0, 8.0, 7.0}, {1000, 3.0, 2.0, 4.0}, {10000, 5.0, 1.0, 1.0}};
    EXPECT_EQ(bandwidth_for(measured, 100.0), 9.0);
    EXPECT_EQ(bandwidth_for(measured, 101.0), 5.0);
    EXPECT_EQ(bandwidth_for(measured, 1e6), 5.0);
}

}  // namespace
}  // namespace sluice::test
