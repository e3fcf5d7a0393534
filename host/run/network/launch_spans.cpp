#include "run/network/launch_spans.hpp"

#include "plan/recorded_work.hpp"

namespace sluice::run {

LaunchSpans::LaunchSpans(const plan::Plan& plan, StreamSpans* spans) : spans_(spans) {
    if (spans_ == nullptr) {
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

}  // namespace sluice::run
