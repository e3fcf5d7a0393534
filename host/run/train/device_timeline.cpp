#include "run/train/device_timeline.hpp"

#include <algorithm>

namespace sluice::run {

DeviceTimeline::Interval DeviceTimeline::place(const profile::DeviceStep& step, double taken) {
    const double least = step.enqueued - step.begin;
    const double most = taken - step.end;
    offset_ = std::min(std::max(offset_.value_or(least), least), most);
    return {step.begin + *offset_, step.end + *offset_};
}

}  // namespace sluice::run
