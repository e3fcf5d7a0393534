#include "run/train/step_driver.hpp"

#include <algorithm>

#include "base/clock.hpp"
#include "profile/recorder.hpp"
#include "profile/stage_clock.hpp"
#include "run/collective/timeouts.hpp"

namespace sluice::run {
StepDriver::StepDriver(const config::PipelineSpec& spec, const ReplicaGroup& replicas)
    : spec_(spec), replicas_(replicas) {}

void StepDriver::resume_from(const LossScale& scale, std::uint64_t updates) const {
    replicas_.each([&](Replica& replica, std::uint32_t) { replica.training().resume_from(scale, updates); });
}

// Returns true if no earlier batch had these shapes. The replicas then have to prepare for them.
bool StepDriver::is_new(const data::Batch& batch) {
    const auto same = [](const sluice_tensor_spec& spec, const data::NamedTensor& field) {
        return spec == field.tensor.spec;
    };
    if (std::ranges::any_of(known_,
                            [&](const Shapes& shapes) { return std::ranges::equal(shapes, batch.fields, same); })) {
        return false;
    }
    Shapes& shapes = known_.emplace_back();
    for (const data::NamedTensor& field : batch.fields) {
        shapes.push_back(field.tensor.spec);
    }
    return true;
}

void StepDriver::prepare(const data::Batch& batch, std::uint64_t batch_in_step) {
    const bool is_first_of_its_shapes = is_new(batch);
    prepares_ = is_first_of_its_shapes || (prepares_ && batch_in_step > 0);
    timeout_ = prepares_ && timeout() > 0.0 ? std::max(kRareWorkTimeout, timeout()) : timeout();
    if (is_first_of_its_shapes) {
        const profile::StageScope stage(profile::Stage::prepare);
        replicas_.each([](Replica& replica, std::uint32_t) { replica.runner().wait(); }, timeout_);
        replicas_.each([&](Replica& replica, std::uint32_t) { replica.training().make_ready(batch); }, timeout_);
    }
}

void StepDriver::compute(const data::Batch& batch, StepBatch batch_in_step) {
    if (batch_in_step.number == 0) {
        began_ = now();
    }
    if (spec_.what_if.skips_network) {
        return;
    }
    batch_in_step.timeout = timeout_with_input();
    each([&](Replica& replica) { replica.training().compute_gradients(batch, batch_in_step); }, thread_timeout());
    profile::enter_stage(profile::Stage::other);
}

void StepDriver::each(const Work& work, double timeout) const {
    profile::StageClock* const clock = profile::loop_clock();
    const Replica* const first = &replicas_.first();
    const bool has_others = replicas_.size() > 1;
    const auto measured_work = [&](Replica& replica, std::uint32_t) {
        const profile::LoopClock measured(&replica == first ? clock : nullptr);
        work(replica);
        if (has_others) {
            profile::enter_stage(profile::Stage::exchange);
        }
    };
    if (has_others) {
        profile::enter_stage(profile::Stage::exchange);  // until the first replica's thread begins
    }
    replicas_.each(std::ref(measured_work), timeout, true);  // std::function would allocate a copy
}

void StepDriver::abandon_step() const {
    replicas_.each([](Replica& replica, std::uint32_t) { replica.training().abandon_step(); }, timeout_);
}

void StepDriver::update() {
    if (spec_.what_if.skips_network) {
        return;
    }
    const auto update_one = [](Replica& replica) {
        profile::enter_stage(profile::Stage::optimizer);
        replica.training().update();
    };
    each(update_one, thread_timeout());
    profile::enter_stage(profile::Stage::other);
    const bool is_usual = !prepares_;
    if (is_usual || !is_usual_) {
        const double seconds = now() - began_;
        longest_ = is_usual == is_usual_ ? std::max(longest_, seconds) : seconds;
        is_usual_ = is_usual;
    }
}

double StepDriver::timeout() const {
    return spec_.sharing.deadline == 0.0 ? 0.0 : std::max(spec_.sharing.deadline, kTimeoutFactor * longest_);
}

double StepDriver::timeout_with_input() const {
    return timeout_ > 0.0 ? std::max(timeout_, timeout() + input_timeout_) : 0.0;
}

// On a CPU the host knows when a thread waits for others. It does not know what a GPU waits for, so that gets more
// time.
double StepDriver::thread_timeout() const {
    return replicas_.first().runner().device()->is_host_memory() ? timeout_ : timeout_with_input();
}

StepResult StepDriver::finish_step() const {
    const bool is_synchronous = replicas_.first().runner().device()->is_host_memory();
    StepResult result;
    if (spec_.what_if.skips_network) {
        return result;
    }
    const Replica* const first = &replicas_.first();
    const auto finish_one = [&](Replica& replica) {
        profile::enter_stage(is_synchronous ? profile::Stage::download : profile::Stage::device);
        const profile::Recording download(SLUICE_SPAN_DOWNLOAD, "result of the step");
        const StepResult found = replica.training().finish_step();
        if (&replica == first) {
            result = found;
        }
    };
    each(std::ref(finish_one), thread_timeout());  // std::function would allocate a copy
    profile::enter_stage(profile::Stage::other);
    return result;
}

}  // namespace sluice::run
