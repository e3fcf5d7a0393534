// Recordings of a device whose work runs as late as possible, and of the CPU, which records nothing.
#include "registry/optional/device_activity.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "base/error.hpp"
#include "registry/loading/registry.hpp"

namespace sluice::registry {
namespace {

Table fault(const char* name) {
    Table options;
    options.set("fault", {name, {}});
    return options;
}

class DeviceActivityTest : public testing::Test {
protected:
    std::shared_ptr<const Device> open(const char* name) const {
        return std::make_shared<const Device>(plugins_.find(Kind::device, name, {}), fault(name), 0);
    }
    static std::vector<std::string> names(const Activities& found) {
        std::vector<std::string> all;
        for (const Activity& one : found.records) {
            all.push_back(one.name);
        }
        return all;
    }

    Registry plugins_{SLUICE_TEST_FAULTY_DIR "/later_device.so", {}};
};

TEST_F(DeviceActivityTest, has_what_ran_between_start_and_stop) {
    const auto device = open("none");
    const Stream stream(device);
    const Block block(device, 64);
    device->zero(block.data(), 32, stream.handle());
    device->wait(stream.handle());
    DeviceActivity recording(device);
    device->zero(block.data(), 64, stream.handle());
    device->copy(block.data(), block.data() + 32, 16, stream.handle());
    const Activities found = recording.stop();  // waits for both
    EXPECT_EQ(names(found), (std::vector<std::string>{"fill", "copy"}));
    EXPECT_EQ(found.dropped, 0U);
    const Activity& fill = found.records.front();
    EXPECT_EQ(fill.kind, std::uint32_t{SLUICE_ACTIVITY_FILL});
    EXPECT_EQ(fill.bytes, 64U);
    EXPECT_EQ(fill.launch_ns, -1);
    EXPECT_LE(fill.begin_ns, fill.end_ns);
    EXPECT_LE(fill.end_ns, found.records.back().begin_ns);
}

TEST_F(DeviceActivityTest, that_is_given_up_leaves_nothing_behind) {
    const auto device = open("none");
    const Stream stream(device);
    const Block block(device, 64);
    {
        const DeviceActivity given_up(device);
        device->zero(block.data(), 64, stream.handle());
    }
    DeviceActivity recording(device);
    EXPECT_TRUE(recording.stop().records.empty());
}

TEST_F(DeviceActivityTest, refuses_an_activity_that_ends_before_it_begins) {
    const auto device = open("ends_before_it_begins");
    const Stream stream(device);
    const Block block(device, 64);
    DeviceActivity recording(device);
    device->zero(block.data(), 64, stream.handle());
    try {
        static_cast<void>(recording.stop());
        ADD_FAILURE() << "an activity that ends before it begins is taken";
    } catch (const Error& error) {
        EXPECT_EQ(error.exit(), Exit::plugin);
        EXPECT_NE(std::string(error.what()).find("its activity 'fill' ends at "), std::string::npos) << error.what();
    }
}

TEST(DeviceActivity, needs_a_device_that_reports) {
    const Registry plugins(SLUICE_TEST_PLUGIN_DIR, {});
    const auto cpu = std::make_shared<const Device>(plugins.find(Kind::device, "cpu", {}), Table{}, 0);
    try {
        const DeviceActivity recording(cpu);
        ADD_FAILURE() << "the CPU records nothing";
    } catch (const Error& error) {
        EXPECT_EQ(error.exit(), Exit::device);
        EXPECT_STREQ(error.what(), "device 'cpu' does not report its activity");
    }
}

}  // namespace
}  // namespace sluice::registry
