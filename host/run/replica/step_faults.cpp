#include "run/replica/step_faults.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/error.hpp"
#include "run/network/divergence.hpp"

namespace sluice::run {

StepFaults::StepFaults(NetworkRunner& runner, const LossScaler& scaler, const StepRollback& rollback,
                       ParameterUpdate& update, ReplayableBatches* replayable)
    : runner_(runner), scaler_(scaler), rollback_(rollback), update_(update), replayable_(replayable) {}

void StepFaults::find_in(const data::Batch& micro_batch, std::uint64_t step, double loss) {
    if (fault_) {
        return;
    }
    fault_ = {runner_.first_not_finite(micro_batch).value_or("loss"), is_finite(micro_batch)};
    if (!scaler_.scales() || !fault_->data_is_finite) {
        throw_diverged(step, loss);
    }
}

// The replica whose loss is not finite reports the layer itself.
void StepFaults::expect_finite_losses(const sluice_step_report& report) const {
    if (!fault_ && !scaler_.scales() && runner_.device()->is_host_memory() && !std::isfinite(report.loss_sum)) {
        throw Error(Exit::replica_lost, "the loss of another replica is not finite");
    }
}

void StepFaults::throw_diverged(std::uint64_t step, double loss) const {
    throw Error(Exit::diverged, why_it_diverged(fmt::format("the loss of step {}", step), loss,
                                                runner_.used().plan.graph, fault_->layer));
}

std::optional<std::string> StepFaults::overflowing_layer() const {
    return run::overflowing_layer(runner_.used().plan.graph, runner_.network().weights().layout(),
                                  [&](std::uint64_t offset, std::uint64_t count) {
                                      return runner_.parameter_gradients(offset, static_cast<std::int64_t>(count));
                                  });
}

void StepFaults::check(std::uint64_t step, const sluice_step_report& report, const LossScale& before,
                       const StepResult& result) {
    const bool is_done = report.ending == SLUICE_STEP_DONE;
    if (!is_done) {
        search(step, report, before, result);
    }
    if (replayable_ != nullptr) {
        replayable_->drop(step);
    }
    if (!is_done) {
        expect_scale_helps(step, report, result);
    }
}

void StepFaults::search(std::uint64_t step, const sluice_step_report& report, const LossScale& before,
                        const StepResult& result) {
    const std::uint32_t version = runner_.network().weights().version();
    // The other replicas do not run the same launches here.
    runner_.replica_sums().set(ReplicaSums::Share::alone);
    if (replayable_ != nullptr) {
        fault_.reset();
        if (!std::isfinite(report.loss_sum)) {
            rollback_.keep_over([&] { fault_ = replayable_->find_fault(step, version); });
        }
    }
    if (!result.skipped || !result.gives_up) {
        return;
    }
    if (replayable_ == nullptr) {
        update_.gather_gradients();
    }
    if (!fault_) {
        rollback_.keep_over([&] {
            if (replayable_ != nullptr) {
                replayable_->compute_again(step, before.value / result.scale.value, version);
            }
            overflow_ = overflowing_layer();
        });
    }
}

// A lower loss scale helps only if the step was skipped for it, and if its data are finite.
void StepFaults::expect_scale_helps(std::uint64_t step, const sluice_step_report& report, const StepResult& result) {
    if (fault_ && (!result.skipped || !fault_->data_is_finite)) {
        throw_diverged(step, report.loss_sum);
    }
    if (result.skipped) {
        return;
    }
    if (result.gives_up) {
        throw Error(Exit::diverged, why_it_gives_up(result.scale));
    }
    throw Error(Exit::diverged,
                fmt::format("the norm of the gradients of step {} is {}; a lower optimizer.rate usually helps", step,
                            report.norm));
}

std::string StepFaults::place() {
    if (fault_) {
        return fmt::format("in the output of layer '{}' and in the loss", fault_->layer);
    }
    const auto layer = overflow_ ? overflow_ : overflowing_layer();
    return layer ? fmt::format("in a gradient of layer '{}', which backward reached first", *layer) : "in the loss";
}

std::string StepFaults::why_it_gives_up(const LossScale& scale, const std::string& detail) {
    return run::why_it_gives_up(scaler_, scale, place() + detail, is_in_forward());
}

}  // namespace sluice::run
