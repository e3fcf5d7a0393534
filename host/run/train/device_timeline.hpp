// Places the steps of a device on the host's clock, although the device has a clock of its own.
#pragma once

#include <algorithm>
#include <optional>

#include "profile/stage.hpp"

namespace sluice::run {

// A device begins a step after the host began to enqueue it, and ends it before the host has its result. So each step
// bounds the difference of the clocks. A device that waits for the host makes the first bound tight, and a host that
// waits for the device the second one.
class DeviceTimeline {
public:
    // Returns the seconds by which the host's clock, now(), is ahead of the device's. `taken`: when the host had the
    // step's result, as now(). The step must not be empty.
    [[nodiscard]] double offset(const profile::DeviceStep& step, double taken) {
        const double least = step.enqueued - step.busy.front().begin;
        const double most = taken - step.busy.at(step.busy_count - 1).end;
        offset_ = std::min(std::max(offset_.value_or(least), least), most);
        return *offset_;
    }

private:
    std::optional<double> offset_;
};

}  // namespace sluice::run
