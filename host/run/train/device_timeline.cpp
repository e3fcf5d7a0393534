#include "run/train/device_timeline.hpp"

#include <algorithm>

namespace sluice::run {

double DeviceTimeline::offset(const profile::DeviceStep& step, double taken) {
    const double least = step.enqueued - step.busy.front().begin;
    const double most = taken - step.busy.at(step.busy_count - 1).end;
    offset_ = std::min(std::max(offset_.value_or(least), least), most);
    return *offset_;
}

}  // namespace sluice::run
