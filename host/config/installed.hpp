// The pipelines that are installed with the program.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace sluice::config {

// The installed pipeline of that name, with or without ".toml"; none if the name has a folder in it.
std::optional<std::filesystem::path> installed_pipeline(const std::string& name);

// File names, sorted.
std::vector<std::string> installed_pipelines();

}  // namespace sluice::config
