// Places the steps of a device on the host's clock, although the device has a clock of its own.
#pragma once

#include <optional>

#include "profile/stage.hpp"

namespace sluice::run {

// A device begins a step after the host began to enqueue it, and ends it before the host has its result. So each step
// bounds the difference of the clocks. A device that waits for the host makes the first bound tight, and a host that
// waits for the device the second one.
class DeviceTimeline {
public:
    struct Interval {
        double begin = 0.0;  // as now()
        double end = 0.0;
    };
    // `taken`: when the host had the step's result, as now().
    [[nodiscard]] Interval place(const profile::DeviceStep& step, double taken);

private:
    std::optional<double> offset_;  // the host's clock minus the device's
};

}  // namespace sluice::run
