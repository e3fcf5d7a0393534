// The folders in which plugins are searched for besides the host's own folder.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace sluice::registry {

// `--plugin` folders or files, SLUICE_PLUGIN_PATH, $XDG_DATA_HOME/sluice/plugins. The environment is ignored for a
// privileged process.
std::vector<std::filesystem::path> plugin_search_path(std::span<const std::string> from_command_line);

}  // namespace sluice::registry
