// The progress line of `host prepare`.
#include "prepare/progress_meter.hpp"

#include <gtest/gtest.h>

namespace sluice::prepare {
namespace {

TEST(PrepareProgressMeter, names_the_rate_since_the_start) {
    ProgressMeter meter(10, 50, 100.0);
    meter.add(2048);
    EXPECT_EQ(meter.line(14, 102.0), "14 of 50 samples, 2 samples/s, 1.0 KiB/s, 18 s left");
    EXPECT_EQ(meter.line(50, 104.0), "50 of 50 samples, 10 samples/s, 512 B/s, 0 s left");
}

TEST(PrepareProgressMeter, is_shown_at_most_every_200_ms) {
    ProgressMeter meter(0, 8, 100.0);
    EXPECT_EQ(meter.line(1, 100.125), "");
    EXPECT_NE(meter.line(2, 100.25), "");
    EXPECT_EQ(meter.line(3, 100.375), "");
    EXPECT_NE(meter.line(4, 100.5), "");
}

}  // namespace
}  // namespace sluice::prepare
