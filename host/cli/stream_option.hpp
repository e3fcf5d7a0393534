// The option --data of `prepare` and `drain`.
#pragma once

#include <string>

#include "config/spec.hpp"

namespace sluice::cli {

// Returns the data that --data names: "train" or "validation". Throws Error(Exit::config) for another name, or if the
// pipeline has no such data.
const config::StreamSpec& data_named(const config::PipelineSpec& spec, const std::string& name);

}  // namespace sluice::cli
