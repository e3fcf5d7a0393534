// The clock of a device and that of the host.
#include "run/train/device_timeline.hpp"

#include <gtest/gtest.h>

namespace sluice::test {
namespace {

// Times are seconds.
profile::DeviceStep step(double begin, double end, double enqueued) {
    profile::DeviceStep step;
    step.busy[0] = {begin, begin};
    step.busy[1] = {end, end};
    step.busy_count = 2;
    step.enqueued = enqueued;
    return step;
}

TEST(DeviceTimeline, a_step_begins_after_it_was_enqueued_and_ends_before_its_result_is_taken) {
    run::DeviceTimeline timeline;
    // The host waits for nothing, so that only the first bound is tight.
    EXPECT_NEAR(timeline.offset(step(1.0, 2.0, 100.9), 110.0), 99.9, 1e-9);
    // The step before this one occupies the device. The host waits for the result.
    EXPECT_NEAR(timeline.offset(step(20.0, 21.0, 119.0), 120.85), 99.85, 1e-9);
    // The clocks drift apart.
    EXPECT_NEAR(timeline.offset(step(50.0, 51.0, 150.1), 160.0), 100.1, 1e-9);
}

TEST(DeviceTimeline, keeps_the_difference_while_no_step_contradicts_it) {
    run::DeviceTimeline timeline;
    static_cast<void>(timeline.offset(step(1.0, 2.0, 101.0), 102.5));
    EXPECT_NEAR(timeline.offset(step(3.0, 4.0, 102.0), 105.0), 100.0, 1e-9);
}

}  // namespace
}  // namespace sluice::test
