// The working folder, for messages about a path that was not found.
#pragma once

#include <filesystem>
#include <string>

namespace sluice::shared_files {

// Returns " (current folder: /home/me)"; if that folder was removed, the text of removed_folder_text().
std::string working_folder_text(const std::filesystem::path& path);

// Returns "; the working folder was removed: ..." if that is why `path` was not found: the path is relative, and the
// folder was removed. Else empty.
std::string removed_folder_text(const std::filesystem::path& path);

}  // namespace sluice::shared_files
