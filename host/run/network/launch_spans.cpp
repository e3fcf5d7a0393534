#include "run/network/launch_spans.hpp"

#include "base/clock.hpp"
#include "plan/recorded_work.hpp"

namespace sluice::run {

LaunchSpans::LaunchSpans(const plan::Plan& plan, bool is_synchronous) {
    if (!is_synchronous) {
        return;
    }
    operations_ = plan::list_operations(plan);
    forward_launches_.resize(plan.steps.size());
    for (std::size_t launch = 0; launch < plan.launches.size(); ++launch) {
        if (plan.launches[launch].direction == plan::Direction::forward) {
            forward_launches_[plan.launches[launch].step] = launch;
        }
    }
}

bool LaunchSpans::begin_pass() {
    if (!profile::is_recording() || operations_ == nullptr) {
        return false;
    }
    profile::Recorder::keep(operations_);
    last_ = now();
    return true;
}

void LaunchSpans::ended(std::size_t launch) {
    const double time = now();
    const profile::Operation& operation = (*operations_)[launch];
    profile::add({.begin = last_, .end = time, .kind = operation.kind, .operation = &operation});
    last_ = time;
}

}  // namespace sluice::run
