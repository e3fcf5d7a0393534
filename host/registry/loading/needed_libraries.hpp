// The files that the loader has found for the libraries that a plugin needs, and for those that these need in turn.
#pragma once

#include <filesystem>
#include <vector>

namespace sluice::registry {

// Of a plugin that this process has loaded; none where it has not.
std::vector<std::filesystem::path> needed_libraries(const std::filesystem::path& plugin);

}  // namespace sluice::registry
