// Finds the pipeline file that an argument names.
#pragma once

#include <filesystem>
#include <string>

namespace sluice::cli {

// Returns the pipeline file `name`, or else the installed pipeline of that name. Throws Error(Exit::config) if there is
// neither.
std::filesystem::path find_pipeline(const std::string& name);

}  // namespace sluice::cli
