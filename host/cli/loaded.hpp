// A checkpoint opened with the pipeline that is written in it: what `evaluate`, `predict` and `resume` begin with.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "config/spec.hpp"
#include "run/checkpoint.hpp"

namespace sluice::cli {

// The pipeline of the checkpoint with `sets` applied, or `other_pipeline` where it is given.
config::PipelineSpec pipeline_of(const run::CheckpointInfo& checkpoint, const std::vector<std::string>& sets,
                                 const std::string& other_pipeline);

}  // namespace sluice::cli
