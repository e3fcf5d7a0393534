// Folders of the user according to the XDG base directory specification.
#pragma once

#include <filesystem>
#include <optional>

namespace sluice {

// Reads an environment variable. Returns nothing if it is unset or empty, or if the process is privileged (AT_SECURE),
// because its environment is then not trusted.
std::optional<std::filesystem::path> from_environment(const char* variable);

// Returns $variable, else ~/fallback; nothing if neither is known.
std::optional<std::filesystem::path> user_folder(const char* variable, const char* fallback);

// Folder for files that can be made again: $SLUICE_CACHE, else "sluice" in the user's cache folder.
std::optional<std::filesystem::path> cache_folder();

}  // namespace sluice
