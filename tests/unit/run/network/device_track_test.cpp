// Spans on a device that works later, in the time of the host.
#include "run/network/device_track.hpp"

#include <chrono>
#include <thread>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "unit/run/network/later_device.hpp"

namespace sluice::test {
namespace {

class DeviceTrackTest : public LaterDevice {
protected:
    // The device has come to the end of its stream at a time that it returns.
    double come_here() const {
        wait();
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
        return now();
    }

    const profile::Operation forward_{.path = "a", .kind = SLUICE_SPAN_FORWARD};
    const profile::Operation backward_{.path = "b", .kind = SLUICE_SPAN_BACKWARD};
};

TEST_F(DeviceTrackTest, lasts_from_mark_to_mark_in_the_time_of_the_host) {
    run::DeviceTrack track(device(), stream());
    track.begin();
    const double first = come_here();
    track.end(forward_, 7, 3);
    const double second = come_here();
    track.end(backward_, 7, 3);
    const double third = come_here();
    track.begin();
    const double fourth = come_here();
    track.end(forward_, 7, 3);
    const double fifth = come_here();
    const std::vector<profile::Span> spans = track.take();
    ASSERT_EQ(spans.size(), 3U);
    EXPECT_EQ(track.dropped(), 0U);
    EXPECT_EQ(spans[0].operation, &forward_);
    EXPECT_EQ(spans[1].operation, &backward_);
    EXPECT_EQ(spans[1].kind, std::uint32_t{SLUICE_SPAN_BACKWARD});
    EXPECT_LT(spans[0].begin, first - 0.001);
    EXPECT_GT(spans[0].end, first - 0.0005);
    EXPECT_LT(spans[0].end, second - 0.001);
    EXPECT_EQ(spans[1].begin, spans[0].end);
    EXPECT_LT(spans[1].end, third - 0.001);
    EXPECT_GT(spans[2].begin, third - 0.0005);  // no span covers the time between two passes
    EXPECT_LT(spans[2].begin, fourth - 0.001);
    EXPECT_LT(spans[2].end, fifth - 0.001);
}

TEST_F(DeviceTrackTest, of_no_work_has_no_spans) {
    run::DeviceTrack track(device(), stream());
    EXPECT_TRUE(track.take().empty());
    track.begin();
    EXPECT_TRUE(track.take().empty());
}

TEST_F(DeviceTrackTest, needs_a_clock) {
    const registry::Registry plugins(SLUICE_TEST_PLUGIN_DIR, {});
    const auto cpu =
        std::make_shared<const registry::Device>(plugins.find(registry::Kind::device, "cpu", {}), Table{}, 0);
    try {
        const run::DeviceTrack track(cpu, nullptr);
        ADD_FAILURE() << "the CPU has no clock of its own";
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(), "device 'cpu' has no clock");
    }
}

}  // namespace
}  // namespace sluice::test
