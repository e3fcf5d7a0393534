#include "bench/launch_limit.hpp"

#include <gtest/gtest.h>

namespace sluice::test {
namespace {

TEST(BenchLaunchLimit, is_the_longer_of_arithmetic_and_memory) {
    const std::vector<Bandwidth> bandwidth{{.bytes = 1000, .read = 10.0}};
    const bench::LaunchLimit limit = bench::launch_limit(200.0, 30.0, 40.0, bandwidth);
    EXPECT_DOUBLE_EQ(limit.arithmetic, 5.0);
    EXPECT_DOUBLE_EQ(limit.memory, 3.0);
    EXPECT_DOUBLE_EQ(limit.longer(), 5.0);
    EXPECT_DOUBLE_EQ(limit.sum(), 8.0);
}

TEST(BenchLaunchLimit, of_memory_allows_for_a_launch_in_place) {
    const std::vector<Bandwidth> bandwidth{{.bytes = 100, .copy = 10.0}, {.bytes = 1000, .copy = 5.0}};
    EXPECT_DOUBLE_EQ(bench::launch_limit(0.0, 1998.0, 0.0, bandwidth).memory, 199.8);
    EXPECT_DOUBLE_EQ(bench::launch_limit(0.0, 2000.0, 0.0, bandwidth).memory, 2000.0 / 5.0);
}

TEST(BenchLaunchLimit, without_arithmetic_is_that_of_memory_even_if_no_rate_was_measured) {
    const bench::LaunchLimit limit = bench::launch_limit(0.0, 20.0, 0.0, {{.bytes = 1000, .copy = 10.0}});
    EXPECT_DOUBLE_EQ(limit.arithmetic, 0.0);
    EXPECT_DOUBLE_EQ(limit.longer(), 2.0);
}

}  // namespace
}  // namespace sluice::test
