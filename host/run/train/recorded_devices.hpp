// Records what the devices of this process do in a window, if their work is asynchronous. A device reports its activity
// by the tools of its driver, which see the kernels of a replayed graph too. The first step then runs without captured
// graphs, so that the launch of each kernel is known. Where a device reports nothing, the launches of its replicas are
// timed one by one. That needs steps without captured graphs.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "profile/recorder.hpp"
#include "registry/optional/device_activity.hpp"
#include "registry/optional/processes.hpp"
#include "run/replica/replica_group.hpp"

namespace sluice::run {

class RecordedDevices {
public:
    RecordedDevices() = default;
    ~RecordedDevices() { end(); }
    RecordedDevices(const RecordedDevices&) = delete;
    RecordedDevices& operator=(const RecordedDevices&) = delete;

    // Begins to record; sets profile::runs_eagerly() for the first step, or for all steps, if that is needed. Does
    // nothing for synchronous devices. If a device does not report its activity, logs the reason once, and what the
    // window has instead. No step may be in flight. `replicas` must outlive the window. All processes call it before
    // the same step.
    void start(const ReplicaGroup& replicas, const registry::Processes& processes);
    // Waits for the devices, and adds a thread for each stream that did something. A device that fails costs the window
    // its work: that is logged. Resets profile::runs_eagerly().
    void stop(profile::RecordedSpans& to);

    // True if a window records a device.
    [[nodiscard]] bool is_recording() const { return !devices_.empty(); }

private:
    using SharedDevice = std::shared_ptr<const registry::Device>;

    // Notes the launches of all devices that report their activity, if that tells which kernels are theirs.
    void note_launches(const ReplicaGroup& replicas);
    // Times the launches of all devices that do not report their activity. Returns why that is impossible; empty: it is
    // possible.
    [[nodiscard]] std::string time_launches(const ReplicaGroup& replicas);
    // `needs_all`, `needs_first`: which steps this process has to run without captured graphs. `processes` are
    // all that train together; null: this is the only one.
    void choose_eager_steps(bool needs_all, bool needs_first, const registry::Processes* processes);
    void add_activities(profile::RecordedSpans& to);
    void add_launches(profile::RecordedSpans& to) const;
    [[nodiscard]] std::uint32_t number_of(const SharedDevice& device) const;
    void end();

    std::vector<SharedDevice> devices_;                         // asynchronous ones, by number
    std::map<std::uint32_t, registry::DeviceActivity> active_;  // of devices that report their activity, by number
    const ReplicaGroup* timed_ = nullptr;                       // some of these replicas have timed launches
    const ReplicaGroup* noted_ = nullptr;                       // some of these replicas have noted launches
    bool runs_eagerly_ = false;                                 // all steps of the window
    bool replays_after_first_ = false;                          // only the first step runs eagerly
    bool has_warned_ = false;
};

}  // namespace sluice::run
