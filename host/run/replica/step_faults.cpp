#include "run/replica/step_faults.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/error.hpp"
#include "run/network/divergence.hpp"

namespace sluice::run {

void StepFaults::find_in(const data::Batch& micro_batch, std::uint64_t step, double loss) {
    if (fault_) {
        return;
    }
    fault_ = {dependencies_.runner.first_not_finite(micro_batch).value_or("loss"), is_finite(micro_batch)};
    if (!dependencies_.scaler.scales() || !fault_->data_is_finite) {
        throw_diverged(step, loss);
    }
}

// The replica whose loss is not finite reports the layer itself.
void StepFaults::expect_finite_losses(const sluice_step_report& report) const {
    if (!fault_ && !dependencies_.scaler.scales() && dependencies_.runner.device()->is_host_memory() &&
        !std::isfinite(report.loss_sum)) {
        throw Error(Exit::replica_lost, "the loss of another replica is not finite");
    }
}

void StepFaults::throw_diverged(std::uint64_t step, double loss) const {
    throw Error(Exit::diverged, why_it_diverged(fmt::format("the loss of step {}", step), loss,
                                                dependencies_.runner.used().plan.graph, fault_->layer));
}

std::optional<std::string> StepFaults::overflowing_layer() const {
    return run::overflowing_layer(dependencies_.runner.used().plan.graph, dependencies_.runner.weights().layout(),
                                  [&](std::uint64_t offset, std::uint64_t count) {
                                      return dependencies_.runner.parameter_gradients(offset,
                                                                                      static_cast<std::int64_t>(count));
                                  });
}

void StepFaults::search(std::uint64_t step, const sluice_step_report& report, const LossScale& before,
                        const LossScale& after) {
    ReplayableBatches* const replayable = dependencies_.replayable;
    const std::uint32_t version = dependencies_.runner.weights().version();
    dependencies_.runner.replica_sums().set(
        ReplicaSums::Share::alone);  // the other replicas do not run the same launches here
    if (replayable != nullptr) {
        fault_.reset();
        if (!std::isfinite(report.loss_sum)) {
            dependencies_.rollback.keep_over([&] { fault_ = replayable->find_fault(step, version); });
        }
    }
    const bool gives_up = report.ending == SLUICE_STEP_SKIPPED && dependencies_.scaler.gives_up(after);
    if (gives_up && replayable == nullptr) {
        dependencies_.update.gather_gradients();
    }
    if (!fault_ && gives_up) {
        dependencies_.rollback.keep_over([&] {
            if (replayable != nullptr) {
                replayable->compute_again(step, before.value / after.value, version);
            }
            overflow_ = overflowing_layer();
        });
    }
}

void StepFaults::expect_scale_helps(std::uint64_t step, const sluice_step_report& report) const {
    if (fault_ && (report.ending != SLUICE_STEP_SKIPPED || !fault_->data_is_finite)) {
        throw_diverged(step, report.loss_sum);
    }
}

std::string StepFaults::place() {
    if (fault_) {
        return fmt::format("in the output of layer '{}' and in the loss", fault_->layer);
    }
    const auto layer = overflow_ ? overflow_ : overflowing_layer();
    return layer ? fmt::format("in a gradient of layer '{}', which backward reached first", *layer) : "in the loss";
}

}  // namespace sluice::run
