#include "bench/peak_rates.hpp"

#include <gtest/gtest.h>

namespace sluice::test {
namespace {

TEST(BenchPeakRates, keep_the_best_of_each_type) {
    bench::PeakRates rates;
    EXPECT_EQ(rates.of(kFloat32), 0.0);
    for (const double rate : {2.0, 3.0, 1.0}) {
        rates.raise(kFloat32, rate);
    }
    rates.raise(kBfloat16, 8.0);
    EXPECT_EQ(rates.of(kFloat32), 3.0);
    EXPECT_EQ(rates.all().size(), 2U);
}

// One direction of a kernel that multiplies in float32 may multiply in the 16 bits that the layer asks for.
TEST(BenchPeakRates, of_a_launch_are_the_better_of_what_is_asked_and_what_is_reported) {
    bench::PeakRates rates;
    rates.raise(kFloat32, 3.0);
    rates.raise(kBfloat16, 8.0);
    plan::LaunchWork work{};
    work.dtype = kFloat32;
    work.asked = kBfloat16;
    EXPECT_EQ(rates.of(work), 8.0);
    work.asked = kFloat32;
    EXPECT_EQ(rates.of(work), 3.0);
}

}  // namespace
}  // namespace sluice::test
