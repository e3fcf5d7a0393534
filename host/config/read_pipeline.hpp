// Reads a whole pipeline from the table of its file.
#pragma once

#include <filesystem>

#include "base/value.hpp"
#include "config/key.hpp"
#include "config/spec.hpp"

namespace sluice::config {

// If `optional`, the tables for training are required only if [model] is present.
enum class Training { needed, optional };

// `file` names the pipeline if the table does not. `listener` receives each key that is read; null: none. Throws
// Error(Exit::config), which is an UnknownKey for a key that pipelines do not have.
PipelineSpec read_pipeline(Table written, const std::filesystem::path& file, Training training,
                           const KeyListener* listener = nullptr);

}  // namespace sluice::config
