// Loads what several commands need first: the pipeline stored in a checkpoint, and the data that an option names.
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

// Returns the data that --data names: "train" or "validation". Throws Error(Exit::config) for another name, or if the
// pipeline has no such data.
const config::StreamSpec& data_named(const config::PipelineSpec& spec, const std::string& name);

}  // namespace sluice::cli
