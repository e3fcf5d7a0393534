// Checkpoints: everything that a resumed run needs to compute the same bits. They contain no clock times.
#pragma once

#include <filesystem>
#include <string>

#include "config/spec.hpp"
#include "run/checkpoint/progress.hpp"
#include "run/replica/replica.hpp"

namespace sluice::run {

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
