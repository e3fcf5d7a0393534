// Stages of a step by the clock of its device.
#include "run/network/device_clock.hpp"

#include <chrono>
#include <thread>

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
    profile::StageSeconds take() {
        clock_.send();
        wait();
        return clock_.take();
    }

    run::DeviceClock clock_{device(), stream()};
};

TEST_F(DeviceClockTest, times_the_copy_of_the_result) {
    micro_batch(true, 1);
    work(2, Mark::updated);
    work(5, Mark::sent);
    const profile::StageSeconds seconds = take();
    EXPECT_GE(seconds[Stage::download], 0.005);
    EXPECT_GE(seconds[Stage::optimizer], 0.002);
    EXPECT_EQ(seconds[Stage::exchange], 0.0);
}

TEST_F(DeviceClockTest, times_each_micro_batch) {
    micro_batch(true, 1);  // of a step that was abandoned
    micro_batch(true, 20);
    micro_batch(false, 1);
    micro_batch(false, 1);
    work(2, Mark::sent);
    const double forward = take()[Stage::forward];
    EXPECT_GE(forward, 0.022);
    EXPECT_LT(forward, 0.060);  // three as long as the first would take more
    micro_batch(true, 1);
    work(1, Mark::sent);
    EXPECT_LT(take()[Stage::forward], 0.020);
}

TEST_F(DeviceClockTest, counts_others_as_long_as_the_mean) {
    for (int i = 0; i < 32; ++i) {
        micro_batch(i == 0, 1);
    }
    EXPECT_GE(take()[Stage::forward], 0.032);
}

}  // namespace
}  // namespace sluice::test
