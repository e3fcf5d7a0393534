// Finds where the numbers of a step stopped being finite: in the loss, or in a gradient of a scaled loss.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "run/network/loss_scaler.hpp"
#include "run/network/step_rollback.hpp"
#include "run/replica/network_runner.hpp"
#include "run/replica/parameter_update.hpp"
#include "run/replica/step_batch.hpp"
#include "run/upload/replayable_batches.hpp"

namespace sluice::run {

class StepFaults {
public:
    // The arguments must outlive this object. `replayable` is null if the device is synchronous.
    StepFaults(NetworkRunner& runner, const LossScaler& scaler, const StepRollback& rollback, ParameterUpdate& update,
               ReplayableBatches* replayable);

    void begin_step() { fault_.reset(); }
    // Finds the layer, if the loss of the micro-batch that the program in use has just computed is not finite. Throws
    // Error(Exit::diverged) with the layer if the data are not finite or the loss is not scaled.
    void find_in(const data::Batch& micro_batch, std::uint64_t step, double loss);
    // On a CPU: throws Error(Exit::replica_lost) if the loss of another replica is not finite and not scaled.
    void expect_finite_losses(const sluice_step_report& report) const;

    // Looks for the cause if the step was not done. Call it for each step, in order. `before` is the loss scale of this
    // step. Throws Error(Exit::diverged), with the cause, if no later step can succeed with another loss scale. Later
    // steps may have changed the parameters, unless the run stops with this step.
    void check(std::uint64_t step, const sluice_step_report& report, const LossScale& before, const StepResult& result);
    // Returns the place of the last fault: "in a gradient of layer 'x'".
    [[nodiscard]] std::string place();
    // True if the loss of that step was not finite, so that the loss scale is not the cause.
    [[nodiscard]] bool is_in_forward() const { return fault_.has_value(); }
    // Explains why a run stops after skipped steps, and what helps. `scale` is that of the next step, and `detail` is
    // appended to the place of the last fault.
    [[nodiscard]] std::string why_it_gives_up(const LossScale& scale, const std::string& detail = {});

private:
    [[noreturn]] void throw_diverged(std::uint64_t step, double loss) const;
    [[nodiscard]] std::optional<std::string> overflowing_layer() const;
    void search(std::uint64_t step, const sluice_step_report& report, const LossScale& before,
                const StepResult& result);
    void expect_scale_helps(std::uint64_t step, const sluice_step_report& report, const StepResult& result);

    NetworkRunner& runner_;
    const LossScaler& scaler_;
    const StepRollback& rollback_;
    ParameterUpdate& update_;
    ReplayableBatches* replayable_;
    std::optional<Fault> fault_;           // if the loss of the step is not finite
    std::optional<std::string> overflow_;  // layer whose gradient was not finite, in the last of too many skipped steps
};

}  // namespace sluice::run
