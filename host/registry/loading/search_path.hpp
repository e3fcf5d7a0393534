// Folders of the user, as the XDG base directory specification places them.
#pragma once

#include <filesystem>
#include <optional>

namespace sluice::registry {

// A variable of the environment; nothing where it is unset, empty, or where the process is privileged and its
// environment is a stranger's.
std::optional<std::filesystem::path> from_environment(const char* variable);

// $variable, else ~/fallback; nothing where neither is known.
std::optional<std::filesystem::path> user_folder(const char* variable, const char* fallback);

// Where what can be lost is kept: $SLUICE_CACHE, else "sluice" in the user's cache.
std::optional<std::filesystem::path> cache_folder();

}  // namespace sluice::registry
