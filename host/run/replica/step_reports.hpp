// Reports of the steps that are on the stream: what each step did, and the loss scale that it left.
#pragma once

#include <cstdint>
#include <vector>

#include "run/collective/collectives.hpp"
#include "run/network/loss_scaler.hpp"
#include "run/network/step_state.hpp"
#include "run/replica/step_faults.hpp"
#include "run/replica/step_part.hpp"
#include "run/upload/held_parts.hpp"

namespace sluice::run {

class StepReports {
public:
    // What a replica lends. Null: `others` if there is no other replica, `held` if nothing is held.
    struct Loan {
        StepState& state;
        const LossScaler& scaler;
        StepFaults& faults;
        HeldParts* held;
        const Collectives* others;
    };
    explicit StepReports(const Loan& loan);

    // Goes on from there: where no step is on the stream.
    void go_on_from(const LossScale& scale, std::uint64_t updates);
    // When the update of a step was put on the stream: sends its report on its way.
    void send(std::uint64_t step);
    // What the oldest step did whose report was not taken yet; waits for it. Throws Error(Exit::diverged) with the
    // layer if the loss or, if it is wanted, the norm of the gradients is not finite, unless the loss is scaled.
    StepResult take();

private:
    Loan loan_;
    LossScale scale_;                  // after the step that was taken last
    std::vector<std::uint64_t> sent_;  // steps, the oldest first
};

}  // namespace sluice::run
