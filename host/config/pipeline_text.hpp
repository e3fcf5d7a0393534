// A resolved pipeline as readable text: a run's resolved.toml, and the output of `host plan --explain`.
#pragma once

#include <string>

#include "base/value.hpp"
#include "config/recorded_origins.hpp"

namespace sluice::config {

enum class Origins { as_comments, leave_out };

// Returns `resolved` as TOML with one value per line and, if wanted, the value's origin in a comment after it. The text
// loads back to the same pipeline. Origins that `recorded` knows replace the places in its file.
std::string to_pipeline_toml(const Table& resolved, Origins origins = Origins::as_comments,
                             const RecordedOrigins& recorded = {});

}  // namespace sluice::config
