// Which part of a training step is computed, and what a step did.
#pragma once

#include <cstdint>

#include "run/network/loss_scaler.hpp"
#include "run/network/schedule.hpp"
#include "run/network/scores.hpp"
#include "run/network/step_state.hpp"

namespace sluice::run {

// Which part of which step is computed, and how its update will be.
struct StepPart {
    std::uint64_t step = 1;        // from 1
    std::uint64_t part = 0;        // the batch's number in the step, from 0
    bool is_last = true;           // of its parts
    double patience = 0.0;         // seconds that other replicas are waited for; 0: at any time
    double said = word::kNothing;  // by this process to the others
    bool is_common = true;         // all replicas compute it
    Rates rates{};
};

// What a step did.
struct StepResult {
    LossSum loss;          // of all parts
    double norm = 0.0;     // of the mean's gradient, before it is clipped; where it is clipped or the loss is scaled
    double rate = 0.0;     // learning rate of its update
    bool skipped = false;  // under a scaled loss: something is not finite, and nothing was changed
    LossScale scale;       // of the step behind it
    bool stops = false;    // where there are several processes: one of them has asked to
    bool lacks_input = false;  // the same: the next steps of one of them may wait for their data
};

}  // namespace sluice::run
