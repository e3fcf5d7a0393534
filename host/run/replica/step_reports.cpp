#include "run/replica/step_reports.hpp"

#include <fmt/format.h>

#include <utility>

#include "base/error.hpp"
#include "run/network/divergence.hpp"

namespace sluice::run {

StepReports::StepReports(const Dependencies& dependencies) : dependencies_(dependencies) {
    sent_.reserve(StepState::kAhead);
    resume_from(dependencies_.scaler.begin(), 0);
}

void StepReports::resume_from(const LossScale& scale, std::uint64_t updates) {
    scale_ = scale;
    dependencies_.state.write_report(report_of(scale, updates));
}

void StepReports::send(std::uint64_t step) {
    dependencies_.state.send_report();
    sent_.push_back(step);
}

StepResult StepReports::take() {
    const auto [status, report] = dependencies_.state.take_report();
    const std::uint64_t step = sent_.front();
    sent_.erase(sent_.begin());
    const bool has_others = dependencies_.others != nullptr;
    if (has_others) {
        dependencies_.others->expect_whole();
    }
    const LossScale before = std::exchange(scale_, dependencies_.scaler.after(scale_, report));
    const StepResult result{.loss = {report.loss_sum, report.loss_weight},
                            .norm = report.norm,
                            .rate = report.rate,
                            .skipped = report.ending == SLUICE_STEP_SKIPPED,
                            .scale = scale_,
                            .stops = has_others && status >= rank_status::kStop,
                            .lacks_input = has_others && status >= rank_status::kLacksInput};
    if (report.ending != SLUICE_STEP_DONE) {
        dependencies_.faults.search(step, report, before, scale_);
    }
    if (dependencies_.replayable != nullptr) {
        dependencies_.replayable->drop(step);
    }
    if (report.ending == SLUICE_STEP_DONE) {
        return result;
    }
    dependencies_.faults.expect_scale_helps(step, report);
    if (!result.skipped) {
        throw Error(Exit::diverged,
                    dependencies_.scaler.gives_up(scale_)
                        ? why_it_gives_up(dependencies_.scaler, scale_, dependencies_.faults.place(),
                                          dependencies_.faults.is_in_forward())
                        : fmt::format("the norm of the gradients of step {} is {}; a lower optimizer.rate usually "
                                      "helps",
                                      step, report.norm));
    }
    return result;
}

}  // namespace sluice::run
