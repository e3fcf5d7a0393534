// Records what a device did in a window, and when (kind/device_activity.h).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "registry/objects/device.hpp"

namespace sluice::registry {

// Times are nanoseconds of std::chrono::steady_clock.
struct Activity {
    std::int64_t begin_ns = 0;
    std::int64_t end_ns = 0;
    std::int64_t launch_ns = -1;  // when the call began that enqueued it or replayed its graph; -1: not known
    std::uint64_t bytes = 0;
    std::uint64_t correlation = 0;  // the same for all activities of one call; 0: not known
    std::uint32_t kind = 0;         // SLUICE_ACTIVITY_...; one that this host does not know is SLUICE_ACTIVITY_OTHER
    std::uint32_t stream = 0;       // a number of the driver
    std::string name;
};

struct Activities {
    std::vector<Activity> records;  // by begin_ns; of equal ones the longer first
    std::uint64_t dropped = 0;      // lost for want of memory
};

// Records a device from its construction until stop() or its destruction.
class DeviceActivity {
public:
    // Throws Error(Exit::device) with the reason if the device or this machine cannot record.
    explicit DeviceActivity(std::shared_ptr<const Device> device);
    ~DeviceActivity();
    DeviceActivity(const DeviceActivity&) = delete;
    DeviceActivity& operator=(const DeviceActivity&) = delete;

    // Waits for the work on the device and returns what it did. Called at most once.
    [[nodiscard]] Activities stop();

private:
    std::shared_ptr<const Device> device_;
    bool records_ = true;
};

}  // namespace sluice::registry
