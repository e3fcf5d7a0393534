// The pipelines and models that are installed with the program.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace sluice::config {

// Return the installed file of that name, with or without ".toml". Return nullopt if there is none or the name
// contains a folder.
std::optional<std::filesystem::path> installed_pipeline(const std::string& name);
std::optional<std::filesystem::path> installed_model(const std::string& name);

// Return the names of all installed files, sorted: of pipelines with ".toml", of models without.
std::vector<std::string> installed_pipelines();
std::vector<std::string> installed_models();

}  // namespace sluice::config
