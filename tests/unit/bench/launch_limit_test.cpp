#include "bench/launch_limit.hpp"

#include <gtest/gtest.h>

namespace sluice::test {
namespace {

TEST(BenchLaunchLimit, adds_kinds_of_arithmetic_and_takes_the_longer_of_arithmetic_and_memory) {
    const bench::ArithmeticRates rates{100.0, 50.0, 20.0};
    const std::vector<bench::Bandwidth> bandwidth{{.bytes = 1000, .read = 10.0}};
    const bench::LaunchLimit limit = bench::launch_limit({200.0, 0.0, 60.0}, 30.0, rates, bandwidth);
    EXPECT_DOUBLE_EQ(limit.arithmetic, 2.0 + 3.0);
    EXPECT_DOUBLE_EQ(limit.memory, 3.0);
    EXPECT_DOUBLE_EQ(limit.longer(), 5.0);
    EXPECT_DOUBLE_EQ(limit.sum(), 8.0);
}

TEST(BenchLaunchLimit, without_arithmetic_is_that_of_memory_even_if_no_rate_was_measured) {
    const bench::LaunchLimit limit = bench::launch_limit({}, 20.0, {}, {{.bytes = 1000, .copy = 10.0}});
    EXPECT_DOUBLE_EQ(limit.arithmetic, 0.0);
    EXPECT_DOUBLE_EQ(limit.longer(), 2.0);
}

}  // namespace
}  // namespace sluice::test
