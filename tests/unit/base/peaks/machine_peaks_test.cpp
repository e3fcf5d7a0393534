#include "base/peaks/machine_peaks.hpp"

#include <gtest/gtest.h>

#include "unit/base/peaks/one_thread.hpp"

namespace sluice::test {
namespace {

TEST(MachinePeaks, are_measured_once) {
    const OneThread threads;
    const double rate = machine_peak_rate(*threads.api(), kFloat32);
    const std::vector<Bandwidth> bandwidth = machine_bandwidth(*threads.api());
    const int calls = threads.calls();
    EXPECT_GT(calls, 5);
    EXPECT_EQ(machine_peak_rate(*threads.api(), kFloat32), rate);
    EXPECT_EQ(machine_bandwidth(*threads.api()).size(), bandwidth.size());
    EXPECT_EQ(threads.calls(), calls);
    machine_peak_rate(*threads.api(), kBfloat16);
    EXPECT_GT(threads.calls(), calls);
}

TEST(MachinePeaks, of_memory_have_sizes_that_take_little_time) {
    const std::vector<Bandwidth> bandwidth = machine_bandwidth(*OneThread().api());
    ASSERT_FALSE(bandwidth.empty());
    EXPECT_LE(bandwidth.back().bytes, 64U << 20U);
    for (const Bandwidth& size : bandwidth) {
        EXPECT_GT(size.best(), 1e6);
    }
}

}  // namespace
}  // namespace sluice::test
