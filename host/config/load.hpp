// Reads a pipeline file: TOML, `include`, `${NAME}` from the environment, `--set`, and then the host's own tables.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "config/key.hpp"
#include "config/spec.hpp"

namespace sluice::config {

// `sets` are "a.b=v" with v a TOML value, or a bare word taken as a string. Throws Error(Exit::config) with
// file:line:column, what was found and what would be right.
PipelineSpec load_pipeline(const std::filesystem::path& file, std::span<const std::string> sets);

// An option of a command that stands for a set: "--policy float32" for "precision.use=float32".
struct Shorthand {
    std::string option;
    std::string set;
};

// As above, with one more set after the others.
PipelineSpec load_pipeline(const std::filesystem::path& file, std::span<const std::string> sets,
                           const Shorthand& shorthand);

// For commands that make samples and train nothing: a file without [model] needs no [loss] and no [optimizer] either,
// and names no fields. What is there is read as ever.
PipelineSpec load_input(const std::filesystem::path& file, std::span<const std::string> sets);

// load_pipeline() from text that is whole (no include), as a checkpoint carries it; `name` stands for it in messages.
// listener: is told of each key that is asked for; NULL: nobody is.
PipelineSpec load_pipeline_text(std::string_view text, const std::string& name, std::span<const std::string> sets,
                                const KeyListener* listener = nullptr);

}  // namespace sluice::config
