// Checkpoints: everything that a resumed run needs to compute the same bits. They contain no clock times.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "config/spec.hpp"
#include "data/chain/class_names.hpp"
#include "data/loader/loader_state.hpp"
#include "run/network/loss_scaler.hpp"
#include "run/network/schedule.hpp"
#include "run/replica/replica.hpp"

namespace sluice::run {

// Fingerprint of the training data. A run that resumes within an epoch compares it, to see whether the data changed.
struct DataFingerprint {
    std::string order;          // see Loader::order_fingerprint()
    std::uint64_t batches = 0;  // first batches of the epoch that `sha256` covers
    std::string sha256;         // of their samples; empty: not known
};

// The position of a run and its results so far.
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

struct CheckpointInfo {
    std::filesystem::path file;
    std::string pipeline;  // TOML text with all values, defaults included
    std::string pipeline_name;
    std::string choices;        // kernel tuning, for registry::TuningCache::restore
    std::string chosen_policy;  // for run::adopt_policy; may be empty
    Progress progress;
};

// Writes a checkpoint. Throws Error(Exit::save). Throws Error(Exit::diverged) if a number is not finite, so that such
// weights never replace a good checkpoint. `states`: the full optimizer states if they are sharded, else null.
void save_checkpoint(const std::filesystem::path& file, const config::PipelineSpec& spec, const Progress& progress,
                     Replica& replica, FullOptimizerStates* states = nullptr);

// Reads and verifies a checkpoint's metadata. Throws Error(Exit::config).
CheckpointInfo inspect_checkpoint(const std::filesystem::path& file);

// Selects the weights that a replica loads for inference if the checkpoint also has their moving average.
enum class WeightChoice { average, last };

// Copies the checkpoint's tensors into the replica. Throws Error(Exit::config) if a tensor is missing or has another
// shape; the message has both shapes. Optimizer states are only needed if the replica trains. If the checkpoint has no
// average, the average starts from its weights.
void load_checkpoint(const std::filesystem::path& file, Replica& replica, WeightChoice choice = WeightChoice::average);

}  // namespace sluice::run
