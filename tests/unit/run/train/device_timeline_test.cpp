// The clock of a device and that of the host.
#include "run/train/device_timeline.hpp"

#include <gtest/gtest.h>

namespace sluice::test {
namespace {

// Times are seconds. The device's clock is 100 s behind the host's.
TEST(DeviceTimeline, a_step_begins_after_it_was_enqueued_and_ends_before_its_result_is_taken) {
    run::DeviceTimeline timeline;
    // The host waits for nothing, so that only the first bound is tight.
    const run::DeviceTimeline::Interval first = timeline.place({{}, 1.0, 2.0, 100.9}, 110.0);
    EXPECT_NEAR(first.begin, 100.9, 1e-9);
    EXPECT_NEAR(first.end, 101.9, 1e-9);
    // The step before this one occupies the device. The host waits for the result.
    const run::DeviceTimeline::Interval second = timeline.place({{}, 20.0, 21.0, 119.0}, 120.85);
    EXPECT_NEAR(second.begin, 119.85, 1e-9);
    EXPECT_NEAR(second.end, 120.85, 1e-9);
    // The clocks drift apart.
    const run::DeviceTimeline::Interval third = timeline.place({{}, 50.0, 51.0, 150.1}, 160.0);
    EXPECT_NEAR(third.begin, 150.1, 1e-9);
}

TEST(DeviceTimeline, keeps_the_difference_while_no_step_contradicts_it) {
    run::DeviceTimeline timeline;
    static_cast<void>(timeline.place({{}, 1.0, 2.0, 101.0}, 102.5));
    EXPECT_NEAR(timeline.place({{}, 3.0, 4.0, 102.0}, 105.0).begin, 103.0, 1e-9);
}

}  // namespace
}  // namespace sluice::test
