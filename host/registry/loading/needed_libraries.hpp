// The library files that a plugin depends on, directly and indirectly, as the dynamic loader found them.
#pragma once

#include <filesystem>
#include <vector>

namespace sluice::registry {

// Empty if this process has not loaded the plugin.
std::vector<std::filesystem::path> needed_libraries(const std::filesystem::path& plugin);

}  // namespace sluice::registry
