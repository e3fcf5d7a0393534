// Reads a pipeline file: TOML, `include`, `${NAME}` from the environment, `--set`, and then the host's own tables.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "config/spec.hpp"

namespace sluice::config {

// `sets` are "a.b=v" with v a TOML value, or a bare word taken as a string. Throws Error(Exit::config) with
// file:line:column, what was found and what would be right.
PipelineSpec load_pipeline(const std::filesystem::path& file, std::span<const std::string> sets);

// A command-line option that stands for a --set: "--policy float32" for "precision.use=float32".
struct Shorthand {
    std::string option;
    std::string set;
};

// Same, but applies `shorthand` after `sets`.
PipelineSpec load_pipeline(const std::filesystem::path& file, std::span<const std::string> sets,
                           const Shorthand& shorthand);

// For commands that make samples but do not train: without [model], a file needs no [loss] and no [optimizer] either,
// and model.input and model.target stay empty. Tables that are present are read as usual.
PipelineSpec load_input(const std::filesystem::path& file, std::span<const std::string> sets);

// Behaves like load_pipeline(), but reads text without includes, as a checkpoint stores it. `name` identifies the text
// in messages.
PipelineSpec load_pipeline_text(std::string_view text, const std::string& name, std::span<const std::string> sets);

}  // namespace sluice::config
