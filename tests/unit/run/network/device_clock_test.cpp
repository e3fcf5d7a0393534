// Stages of a step by the clock of its device.
#include "run/network/device_clock.hpp"

#include <chrono>
#include <thread>

#include "base/clock.hpp"
#include "unit/run/network/later_device.hpp"

namespace sluice::test {
namespace {

using Mark = run::DeviceClock::Mark;
using profile::Stage;

class DeviceClockTest : public LaterDevice {
protected:
    // The device takes so long until a mark.
    void work(int milliseconds, Mark mark) {
        wait();
        std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
        clock_.mark(mark);
        wait();
    }
    void micro_batch(bool is_first, int milliseconds) {
        clock_.begin_micro_batch(is_first);
        work(milliseconds, Mark::forward);
    }
    profile::DeviceStep take_step() {
        clock_.send();
        wait();
        return clock_.take();
    }
    profile::StageSeconds take() { return take_step().seconds; }

    run::DeviceClock clock_{device(), stream()};
};

TEST_F(DeviceClockTest, times_each_stage) {
    micro_batch(true, 1);
    work(2, Mark::backward);
    work(5, Mark::updated);
    const profile::StageSeconds seconds = take();
    EXPECT_GE(seconds[Stage::forward], 0.001);
    EXPECT_GE(seconds[Stage::backward], 0.002);
    EXPECT_GE(seconds[Stage::optimizer], 0.005);
    EXPECT_EQ(seconds[Stage::exchange], 0.0);
}

TEST_F(DeviceClockTest, times_each_micro_batch) {
    micro_batch(true, 1);  // of a step that was abandoned
    micro_batch(true, 20);
    micro_batch(false, 1);
    micro_batch(false, 1);
    work(2, Mark::updated);
    const double forward = take()[Stage::forward];
    EXPECT_GE(forward, 0.022);
    EXPECT_LT(forward, 0.060);  // three as long as the first would take more
    micro_batch(true, 1);
    work(1, Mark::updated);
    EXPECT_LT(take()[Stage::forward], 0.020);
}

TEST_F(DeviceClockTest, knows_when_a_step_began_and_ended) {
    const double before = now();
    micro_batch(true, 3);
    const double after = now();
    micro_batch(false, 2);
    work(1, Mark::updated);
    const profile::DeviceStep step = take_step();
    EXPECT_GT(step.enqueued, before);
    EXPECT_LT(step.enqueued, after - 0.003);
    ASSERT_EQ(step.busy_count, 2U);
    EXPECT_GE(step.busy[0].end - step.busy[0].begin, 0.003);
    EXPECT_GE(step.busy[1].begin, step.busy[0].end);
    EXPECT_GE(step.busy[1].end - step.busy[1].begin, 0.003);
    EXPECT_LE(step.busy[1].end - step.busy[0].begin, now() - before);
}

TEST_F(DeviceClockTest, counts_others_as_long_as_the_mean) {
    for (int i = 0; i < 32; ++i) {
        micro_batch(i == 0, 1);
    }
    const profile::DeviceStep step = take_step();
    EXPECT_GE(step.seconds[Stage::forward], 0.032);
    EXPECT_EQ(step.busy_count, 16U);
    EXPECT_EQ(step.busy[15].begin, step.busy[14].end);
    EXPECT_GE(step.busy[15].end - step.busy[15].begin, 0.017);
}

}  // namespace
}  // namespace sluice::test
