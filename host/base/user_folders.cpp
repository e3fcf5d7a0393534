#include "base/user_folders.hpp"

#include <sys/auxv.h>

#include <cstdlib>

namespace sluice {

namespace fs = std::filesystem;

std::optional<fs::path> from_environment(const char* variable) {
    const char* value = ::getauxval(AT_SECURE) != 0 ? nullptr : std::getenv(variable);
    return value == nullptr || *value == '\0' ? std::nullopt : std::optional<fs::path>(value);
}

std::optional<fs::path> user_folder(const char* variable, const char* fallback) {
    // The specification says to ignore relative paths.
    if (auto given = from_environment(variable); given && given->is_absolute()) {
        return given;
    }
    const auto home = from_environment("HOME");
    return home ? std::optional(*home / fallback) : std::nullopt;
}

std::optional<fs::path> cache_folder() {
    if (auto given = from_environment("SLUICE_CACHE")) {
        return given;
    }
    const auto folder = user_folder("XDG_CACHE_HOME", ".cache");
    return folder ? std::optional(*folder / "sluice") : std::nullopt;
}

}  // namespace sluice
