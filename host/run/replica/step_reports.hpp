// Reports of the steps in flight: the result of each step, and the loss scale after it.
#pragma once

#include <cstdint>
#include <vector>

#include "run/collective/collectives.hpp"
#include "run/network/device_clock.hpp"
#include "run/network/loss_scaler.hpp"
#include "run/network/step_state.hpp"
#include "run/replica/step_batch.hpp"
#include "run/replica/step_faults.hpp"

namespace sluice::run {

class StepReports {
public:
    // The arguments must outlive this object. `others` is null if there are no other replicas.
    StepReports(StepState& state, const LossScaler& scaler, StepFaults& faults, const Collectives* others);

    // Resumes from this loss scale and number of updates. Not allowed while a step is on the stream.
    void resume_from(const LossScale& scale, std::uint64_t updates);
    // Starts the copy of a step's report, and of its times by this clock. Call it after the step's update was enqueued.
    void send(std::uint64_t step, DeviceClock& clock);
    // Waits for the oldest step in flight and returns its result. Throws as StepFaults::check().
    StepResult take();

private:
    StepState& state_;
    const LossScaler& scaler_;
    StepFaults& faults_;
    const Collectives* others_;
    LossScale scale_;                  // after the last step that was taken
    std::vector<std::uint64_t> sent_;  // steps, the oldest first
};

}  // namespace sluice::run
