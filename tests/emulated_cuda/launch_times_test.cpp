// How `host bench` times launches on a device whose work runs later.
#include "bench/launch_times.hpp"

#include "plugin_test.hpp"

namespace sluice::test {
namespace {

class LaunchTimes : public PluginTest {
protected:
    // A step of one launch.
    void step(bench::LaunchTimes& times) const {
        times.pass_begins();
        gpu()->zero(block_.data(), block_.size(), stream());
        times.launch_ended(kLaunch);
        times.end_step();
    }

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

}  // namespace
}  // namespace sluice::test
