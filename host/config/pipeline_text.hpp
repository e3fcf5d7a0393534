// A resolved pipeline as a file that people read: resolved.toml of a run, and what `host plan --explain` prints.
#pragma once

#include <string>

#include "base/value.hpp"
#include "config/recorded_origins.hpp"

namespace sluice::config {

enum class Origins { as_comments, leave_out };

// `resolved` as TOML with one value a line and, if wanted, where the value came from in a comment behind it. It loads
// back to the same pipeline. Places that `recorded` knows an origin of are replaced by it.
std::string to_pipeline_toml(const Table& resolved, Origins origins = Origins::as_comments,
                             const RecordedOrigins& recorded = {});

}  // namespace sluice::config
