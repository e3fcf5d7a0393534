#include "run/step_driver.hpp"

#include <algorithm>

#include "base/clock.hpp"

namespace sluice::run {

StepDriver::StepDriver(const config::PipelineSpec& spec, const ReplicaGroup& replicas)
    : spec_(spec), replicas_(replicas) {}

void StepDriver::go_on_from(const LossScale& scale, std::uint64_t updates) const {
    replicas_.each([&](Replica& replica, std::uint32_t) { replica.go_on_from(scale, updates); });
}

void StepDriver::compute(const data::Batch& batch, const StepPart& part) {
    if (part.part == 0) {
        began_ = now();
    }
    replicas_.each([&](Replica& replica, std::uint32_t) { replica.compute_gradients(batch, part); }, patience());
}

void StepDriver::abandon_step() const {
    replicas_.each([](Replica& replica, std::uint32_t) { replica.abandon_step(); });
}

void StepDriver::update() {
    replicas_.each([](Replica& replica, std::uint32_t) { replica.update(); }, patience());
    longest_ = std::max(longest_, now() - began_);
}

StepResult StepDriver::finish_step() const {
    StepResult result;
    replicas_.each([&](Replica& replica, std::uint32_t) {
        const StepResult found = replica.finish_step();
        if (&replica == &replicas_.first()) {
            result = found;
        }
    });
    return result;
}

// Seconds that a replica may be behind another.
double StepDriver::patience() const {
    constexpr double kFirstStep = 60.0;  // kernels are prepared in it
    constexpr double kSlower = 4.0;      // than the slowest step so far
    return spec_.sharing.deadline > 0.0
               ? std::max(spec_.sharing.deadline, longest_ > 0.0 ? kSlower * longest_ : kFirstStep)
               : 0.0;
}

}  // namespace sluice::run
