// What commands begin with: the pipeline that is written in a checkpoint, the stream that an option names.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "config/spec.hpp"
#include "run/checkpoint/checkpoint.hpp"

namespace sluice::cli {

// The pipeline of the checkpoint with `sets` applied, or `other_pipeline` where it is given.
config::PipelineSpec pipeline_of(const run::CheckpointInfo& checkpoint, const std::vector<std::string>& sets,
                                 const std::string& other_pipeline);

// `name` is "train" or "validation", as --data gives it. Throws Error(Exit::config) where it is not, or is not there.
const config::StreamSpec& stream_named(const config::PipelineSpec& spec, const std::string& name);

}  // namespace sluice::cli
