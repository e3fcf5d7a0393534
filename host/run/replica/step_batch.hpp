// One batch of a training step, and the result of a step.
#pragma once

#include <cstdint>

#include "profile/stage.hpp"
#include "run/network/loss_scaler.hpp"
#include "run/network/scores.hpp"
#include "run/network/step_state.hpp"
#include "run/schedule/schedule.hpp"

namespace sluice::run {

// One of the train.accumulate batches of a step, and the learning rates of the step's update.
struct StepBatch {
    std::uint64_t step = 1;                 // from 1
    std::uint64_t number = 0;               // number of the batch in the step, from 0
    bool is_last = true;                    // last batch of the step
    double timeout = 0.0;                   // of waits for other replicas, in seconds; 0: none
    double status = rank_status::kNothing;  // signal of this process to the others
    bool is_common = true;                  // all replicas compute it
    Rates rates{};
};

// The result of a step.
struct StepResult {
    LossSum loss;              // of all its batches
    double norm = 0.0;         // of the mean loss's gradient before clipping; only with clipping or a scaled loss
    double rate = 0.0;         // learning rate of its update
    bool skipped = false;      // with a scaled loss: something was not finite, and nothing was changed
    bool gives_up = false;     // too many steps in a row were skipped: the run has to stop
    LossScale scale;           // of the next step
    bool stops = false;        // with several processes: one of them has asked to stop
    bool lacks_input = false;  // with several processes: the next steps of one may wait for their data
    profile::DeviceStep on_device{};
    std::int64_t recorded_steps = 0;  // so many steps a process asks all to record; 0: none
};

}  // namespace sluice::run
