// Stamps of a device's clock: those of a device whose work runs as late as possible, and of the CPU, which has none.
#include "registry/optional/device_time.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

#include "base/error.hpp"
#include "registry/loading/registry.hpp"
#include "registry/optional/streams.hpp"

namespace sluice::registry {
namespace {

std::shared_ptr<const Device> open_of(const Registry& plugins, const char* name, const Table& options) {
    return std::make_shared<const Device>(plugins.find(Kind::device, name, {}), options, 0);
}

// Returns the option that makes the plugin break no rule.
Table sound() {
    Table options;
    options.set("fault", {"none", {}});
    return options;
}

class DeviceStampsTest : public testing::Test {
protected:
    static std::vector<std::uint64_t> read(const DeviceStamps& stamps, std::size_t slot) {
        const auto marked = stamps.read(slot);
        return {marked.begin(), marked.end()};
    }

    Registry plugins_{SLUICE_TEST_FAULTY_DIR "/later_device.so", {}};
    std::shared_ptr<const Device> device_ = open_of(plugins_, "none", sound());
    Stream stream_{device_};
};

TEST_F(DeviceStampsTest, rise_in_the_order_of_the_stream) {
    const DeviceStamps stamps(device_, 4, 1);
    for (const std::size_t index : {2, 0, 3}) {
        stamps.mark(stream_.handle(), index);
    }
    stamps.copy(stream_.handle(), 0);
    EXPECT_EQ(read(stamps, 0), std::vector<std::uint64_t>(4, 0));  // the work has not run
    device_->wait(stream_.handle());
    const auto marked = stamps.read(0);
    EXPECT_EQ(marked.size(), 4U);
    EXPECT_GT(marked[2], 0U);
    EXPECT_LE(marked[2], marked[0]);
    EXPECT_LE(marked[0], marked[3]);
    EXPECT_EQ(marked[1], 0U);  // was never marked
}

TEST_F(DeviceStampsTest, slots_keep_the_stamps_of_their_steps) {
    const DeviceStamps stamps(device_, 2, 3);
    std::vector<std::vector<std::uint64_t>> steps;
    for (const std::size_t slot : {0, 1, 2}) {
        stamps.mark(stream_.handle(), 0);
        stamps.mark(stream_.handle(), 1);
        stamps.copy(stream_.handle(), slot);
        device_->wait(stream_.handle());
        steps.push_back(read(stamps, slot));
    }
    for (const std::size_t slot : {0, 1, 2}) {
        EXPECT_EQ(read(stamps, slot), steps[slot]);
    }
    EXPECT_LT(steps[0][1], steps[1][0]);
    EXPECT_LT(steps[1][1], steps[2][0]);
}

TEST_F(DeviceStampsTest, in_a_graph_are_new_at_each_replay) {
    const DeviceStamps stamps(device_, 1, 1);
    GraphCapture capture(device_, stream_.handle());
    stamps.mark(stream_.handle(), 0);
    const Graph graph = capture.end();
    std::uint64_t latest = 0;
    for (int replay = 0; replay < 3; ++replay) {
        graph.launch(stream_.handle());
        stamps.copy(stream_.handle(), 0);
        device_->wait(stream_.handle());
        EXPECT_GT(stamps.read(0)[0], latest);
        latest = stamps.read(0)[0];
    }
}

TEST_F(DeviceStampsTest, never_touch_memory_of_others) {
    const DeviceStamps stamps(device_, 2, 1);
    EXPECT_THROW(stamps.mark(stream_.handle(), 2), std::out_of_range);
    EXPECT_THROW(stamps.copy(stream_.handle(), 1), std::out_of_range);
    EXPECT_THROW(static_cast<void>(stamps.read(1)), std::out_of_range);
}

TEST(DeviceStamps, need_a_clock) {
    const Registry plugins(SLUICE_TEST_PLUGIN_DIR, {});
    const auto cpu = open_of(plugins, "cpu", {});
    EXPECT_EQ(cpu->time(), nullptr);
    try {
        const DeviceStamps stamps(cpu, 1, 1);
        ADD_FAILURE() << "the CPU has no clock of its own";
    } catch (const Error& error) {
        EXPECT_EQ(error.exit(), Exit::device);
        EXPECT_STREQ(error.what(), "device 'cpu' has no clock");
    }
}

}  // namespace
}  // namespace sluice::registry
