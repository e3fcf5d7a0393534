// The position of a run and its results so far, as checkpoints keep them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "data/chain/class_names.hpp"
#include "data/loader/loader_state.hpp"
#include "run/network/loss_scaler.hpp"
#include "run/network/scores.hpp"
#include "run/schedule/schedule.hpp"

namespace sluice::run {

// Fingerprint of the training data. A run that resumes within an epoch compares it, to see whether the data changed.
struct DataFingerprint {
    std::string order;          // see Loader::order_fingerprint()
    std::uint64_t batches = 0;  // first batches of the epoch that `sha256` covers
    std::string sha256;         // of their samples; empty: not known
};

struct Progress {
    std::uint64_t step = 0;           // steps done, including skipped ones
    std::uint64_t epoch = 0;          // of the next batch, from 0
    std::uint64_t batch = 0;          // number of the next batch in that epoch, from 0
    std::uint64_t epoch_batches = 0;  // batches in that epoch
    LossSum epoch_loss;               // of this epoch so far
    data::LoaderState loader_state;   // state of the training loader
    DataFingerprint data;             // fingerprint of the training data
    data::ClassNames class_names;     // of the training data
    std::optional<double> best;       // score of the monitored metric
    std::uint64_t best_step = 0;
    std::string validation_sha256;  // of the samples of the last evaluation; empty: not known
    bool owes_evaluation = false;   // the run stopped before the evaluation that was due at this step
    Plateau plateau;
    LossScale loss_scale;

    // Returns the number of steps that changed the weights.
    [[nodiscard]] std::uint64_t updates() const { return step - loss_scale.skipped; }
};

}  // namespace sluice::run
