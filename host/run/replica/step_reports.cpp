#include "run/replica/step_reports.hpp"

#include <utility>

namespace sluice::run {

StepReports::StepReports(StepState& state, const LossScaler& scaler, StepFaults& faults, const Collectives* others)
    : state_(state), scaler_(scaler), faults_(faults), others_(others) {
    sent_.reserve(StepState::kAhead);
    resume_from(scaler_.begin(), 0);
}

void StepReports::resume_from(const LossScale& scale, std::uint64_t updates) {
    scale_ = scale;
    state_.write_report(report_of(scale, updates));
}

void StepReports::send(std::uint64_t step, DeviceClock& clock) {
    state_.send_report();
    clock.send();
    state_.end_report();
    sent_.push_back(step);
}

StepResult StepReports::take() {
    const auto [status, report] = state_.take_report();
    const std::uint64_t step = sent_.front();
    sent_.erase(sent_.begin());
    const bool has_others = others_ != nullptr;
    if (has_others) {
        others_->expect_whole();
    }
    const LossScale before = std::exchange(scale_, scaler_.after(scale_, report));
    const StepResult result{.loss = {report.loss_sum, report.loss_weight},
                            .norm = report.norm,
                            .rate = report.rate,
                            .skipped = report.ending == SLUICE_STEP_SKIPPED,
                            .gives_up = scaler_.gives_up(scale_),
                            .scale = scale_,
                            .stops = has_others && status >= rank_status::kStop,
                            .lacks_input = has_others && status >= rank_status::kLacksInput,
                            .recorded_steps = has_others ? rank_status::recorded_steps(status) : 0};
    faults_.check(step, report, before, result);
    return result;
}

}  // namespace sluice::run
