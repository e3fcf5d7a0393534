// The pipelines that are installed with the program.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace sluice::config {

// Returns the installed pipeline of that name, with or without ".toml". Returns nullopt if there is none or the name
// contains a folder.
std::optional<std::filesystem::path> installed_pipeline(const std::string& name);

// Returns the file names of all installed pipelines, sorted.
std::vector<std::string> installed_pipelines();

}  // namespace sluice::config
