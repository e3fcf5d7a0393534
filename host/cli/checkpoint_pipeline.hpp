// Loads the pipeline that a checkpoint stores.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "config/spec.hpp"
#include "run/checkpoint/checkpoint.hpp"

namespace sluice::cli {

// Returns the checkpoint's pipeline, or `other_pipeline` unless that is empty, with `sets` applied.
config::PipelineSpec pipeline_of(const run::CheckpointInfo& checkpoint, const std::vector<std::string>& sets,
                                 const std::string& other_pipeline);

}  // namespace sluice::cli
