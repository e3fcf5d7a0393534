// Checkpoints: everything that a run needs to go on to the same bits. No clock time enters one.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "config/spec.hpp"
#include "run/network/loss_scaler.hpp"
#include "run/network/schedule.hpp"
#include "run/replica/replica.hpp"

namespace sluice::run {

// By which a run that goes on within an epoch sees whether its data are the same still.
struct DataWitness {
    std::string order;          // see Loader::order_witness()
    std::uint64_t batches = 0;  // at the epoch's beginning
    std::string sha256;         // of their samples; empty: not known
};

// The position of a run, and what it has gathered on the way.
struct Progress {
    std::uint64_t step = 0;           // steps done, those that were skipped among them
    std::uint64_t epoch = 0;          // of the next batch, from 0
    std::uint64_t batch = 0;          // number of the next batch in that epoch
    std::uint64_t epoch_batches = 0;  // of that epoch
    LossSum epoch_loss;               // of this epoch so far
    data::LoaderPast data_past;       // of the training data
    DataWitness data;                 // the same
    data::ClassNames class_names;     // of the training data
    std::optional<double> best;       // of the monitored metric
    std::uint64_t best_step = 0;
    std::string validation_sha256;  // of the samples of the last evaluation; empty: not known
    bool owes_evaluation = false;   // stopped before the evaluation that was due at this step
    Plateau plateau;
    LossScale loss_scale;

    // Steps that changed the weights.
    [[nodiscard]] std::uint64_t updates() const { return step - loss_scale.skipped; }
};

struct CheckpointInfo {
    std::filesystem::path file;
    std::string pipeline;  // TOML text of every value
    std::string pipeline_name;
    std::string choices;        // of kernels, for registry::Choices::restore
    std::string chosen_policy;  // for run::adopt_policy; may be empty
    Progress progress;
};

// Throws Error(Exit::save), and Error(Exit::diverged) where a number is not finite: a good checkpoint is never replaced
// by such a one.
// `states`: those of the optimizer, where the replicas share them.
void save_checkpoint(const std::filesystem::path& file, const config::PipelineSpec& spec, const Progress& progress,
                     Replica& replica, WholeStates* states = nullptr);

// What a checkpoint says of itself; verifies it. Throws Error(Exit::config).
CheckpointInfo inspect_checkpoint(const std::filesystem::path& file);

// Which weights a replica that does not train takes from a checkpoint that holds their moving average too.
enum class WeightChoice { average, last };

// Puts the checkpoint's tensors into the replica. A missing tensor or another shape is Error(Exit::config) with both
// shapes; optimizer states are asked for only where the replica trains. A checkpoint without an average starts one from
// its weights.
void load_checkpoint(const std::filesystem::path& file, Replica& replica, WeightChoice choice = WeightChoice::average);

}  // namespace sluice::run
