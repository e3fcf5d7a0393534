// Where the numbers of a step stopped being finite: in the loss, or in a gradient of a scaled loss.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "run/network/loss_scaler.hpp"
#include "run/network/step_rollback.hpp"
#include "run/replica/network_runner.hpp"
#include "run/replica/parameter_update.hpp"
#include "run/upload/held_parts.hpp"

namespace sluice::run {

class StepFaults {
public:
    // What a replica lends; `held` is null if the device's work is done when a call returns.
    struct Loan {
        NetworkRunner& runner;
        const LossScaler& scaler;
        const StepRollback& rollback;
        ParameterUpdate& update;
        HeldParts* held;
    };
    explicit StepFaults(const Loan& loan) : loan_(loan) {}

    void begin_step() { fault_.reset(); }
    // The loss of this piece, which the program in use has just computed, is not finite. Throws Error(Exit::diverged)
    // with the layer if either the data are not or the loss is not scaled.
    void find_in(const data::Batch& piece, std::uint64_t step, double loss);
    // Of the replicas all together, on a CPU: Error(Exit::worker_lost) if the loss of another one is not finite, and
    // not scaled.
    void expect_finite_losses(const sluice_step_report& report) const;

    // Looks for the cause after a step that was not done: `before` and `after` are the scales of its loss and of the
    // next. Steps after it may have changed the parameters, unless the run stops with it.
    void search(std::uint64_t step, const sluice_step_report& report, const LossScale& before, const LossScale& after);
    // Throws Error(Exit::diverged) with the layer if the loss is not finite and no other scale would help.
    void expect_scale_helps(std::uint64_t step, const sluice_step_report& report) const;
    // Of the step found last: "in a gradient of layer 'x'".
    [[nodiscard]] std::string place();
    // Whether its loss was not finite: then no scale of it is to blame.
    [[nodiscard]] bool is_in_forward() const { return fault_.has_value(); }

private:
    [[noreturn]] void give_up(std::uint64_t step, double loss) const;
    [[nodiscard]] std::optional<std::string> overflowing_layer() const;

    Loan loan_;
    std::optional<Fault> fault_;           // where the loss of the step is not finite
    std::optional<std::string> overflow_;  // the layer whose gradient was not, in the last of too many
};

}  // namespace sluice::run
