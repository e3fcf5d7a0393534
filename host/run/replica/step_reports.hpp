// Reports of the steps in flight: the result of each step, and the loss scale after it.
#pragma once

#include <cstdint>
#include <vector>

#include "run/collective/collectives.hpp"
#include "run/network/loss_scaler.hpp"
#include "run/network/step_state.hpp"
#include "run/replica/step_batch.hpp"
#include "run/replica/step_faults.hpp"
#include "run/upload/replayable_batches.hpp"

namespace sluice::run {

class StepReports {
public:
    // Borrowed from the replica. `others` is null if there are no other replicas; `replayable` is null if the device is
    // synchronous.
    struct Dependencies {
        StepState& state;
        const LossScaler& scaler;
        StepFaults& faults;
        ReplayableBatches* replayable;
        const Collectives* others;
    };
    explicit StepReports(const Dependencies& dependencies);

    // Resumes from this loss scale and number of updates. Not allowed while a step is on the stream.
    void resume_from(const LossScale& scale, std::uint64_t updates);
    // Starts the copy of a step's report. Call it after the step's update was enqueued.
    void send(std::uint64_t step);
    // Waits for the oldest step in flight and returns its result. Throws Error(Exit::diverged) with the layer if the
    // loss or, if it is wanted, the gradient norm is not finite, unless the loss is scaled.
    StepResult take();

private:
    Dependencies dependencies_;
    LossScale scale_;                  // after the last step that was taken
    std::vector<std::uint64_t> sent_;  // steps, the oldest first
};

}  // namespace sluice::run
