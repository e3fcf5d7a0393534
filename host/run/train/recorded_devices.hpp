// Records what the devices of this process do in a window, if their work is asynchronous. Kernels in a replayed graph
// are recorded too, by the tools of the device's driver.
#pragma once

#include <deque>
#include <memory>

#include "profile/recorder.hpp"
#include "registry/optional/device_activity.hpp"
#include "run/replica/replica_group.hpp"

namespace sluice::run {

class RecordedDevices {
public:
    // Begins to record. Does nothing for synchronous devices. If a device cannot be recorded, logs the reason once: the
    // window then has the host's times only.
    void start(const ReplicaGroup& replicas);
    // Waits for the devices, and adds a thread for each stream that did something.
    void stop(profile::RecordedSpans& to);
    // Stops and forgets what was recorded.
    void cancel() { recorded_.clear(); }

private:
    std::deque<registry::DeviceActivity> recorded_;  // one for each device
    bool has_warned_ = false;
};

}  // namespace sluice::run
