// A resolved pipeline as a file that people read: resolved.toml of a run, and what `host plan --explain` prints.
#pragma once

#include <string>

#include "base/value.hpp"

namespace sluice::config {

// `resolved` as TOML with one value a line and, in a comment behind it, where the value came from. It loads back to the
// same pipeline.
std::string to_pipeline_toml(const Table& resolved);

}  // namespace sluice::config
