// Tests how `host bench` times launches on a device that runs asynchronously.
#include "bench/launch_times.hpp"

#include "base/clock.hpp"
#include "plugin_test.hpp"

namespace sluice::test {
namespace {

class LaunchTimes : public PluginTest {
protected:
    // Runs a step of one launch.
    void step(bench::LaunchTimes& times) const {
        times.pass_begins();
        zero();
        times.launch_ended(kLaunch);
        times.end_step();
    }

    void zero() const { gpu()->zero(block_.data(), block_.size(), stream()); }

    static constexpr plan::Launch kLaunch{plan::Direction::forward, 0};

private:
    registry::Block block_{gpu(), 1024};
};

TEST_F(LaunchTimes, keep_the_device_busy_while_the_host_puts_a_pass_on_its_stream) {
    bench::LaunchTimes times(gpu(), stream(), 1);
    step(times);
    EXPECT_EQ(times.held(), 0.0);  // how long the host needs is not known yet
    for (int i = 0; i < 2; ++i) {
        step(times);
        EXPECT_GT(times.held(), 0.0);
    }
    EXPECT_EQ(times.of(kLaunch).size(), 3U);
}

// The time of the optimizer is kept apart from the launches.
TEST_F(LaunchTimes, know_how_long_the_device_needs_for_the_optimizer) {
    bench::LaunchTimes times(gpu(), stream(), 1);
    for (int i = 0; i < 3; ++i) {
        const double before = now();
        times.update_begins();
        zero();
        times.update_ended();
        EXPECT_EQ(times.end_step(), 0.0);
        EXPECT_GT(times.update(), 0.0);
        EXPECT_LT(times.update(), now() - before);
    }
    EXPECT_TRUE(times.of(kLaunch).empty() || times.of(kLaunch).back() == 0.0);
}

}  // namespace
}  // namespace sluice::test
