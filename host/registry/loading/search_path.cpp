// The folders in which plugins are searched for besides the host's own folder.
#include "registry/loading/search_path.hpp"

#include <sys/auxv.h>

#include <cstdlib>
#include <sstream>

#include "base/error.hpp"
#include "base/files.hpp"
#include "registry/loading/registry.hpp"

namespace sluice::registry {

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

std::vector<fs::path> plugin_search_path(std::span<const std::string> from_command_line) {
    std::vector<fs::path> path;
    for (const std::string& entry : from_command_line) {
        std::error_code failed;
        if (!fs::exists(entry, failed) && !failed) {
            throw Error(Exit::plugin,
                        "--plugin " + entry + ": there is no such file or folder" + removed_folder_text(entry));
        }
        path.push_back(fs::absolute(entry));
    }
    if (const auto list = from_environment("SLUICE_PLUGIN_PATH")) {
        std::istringstream entries(list->string());
        for (std::string entry; std::getline(entries, entry, ':');) {
            std::error_code failed;
            if (!entry.empty() && (fs::exists(entry, failed) || failed)) {
                path.push_back(fs::absolute(entry));
            }
        }
    }
    std::error_code unseen;
    if (const auto data = user_folder("XDG_DATA_HOME", ".local/share");
        data && fs::exists(*data / "sluice/plugins", unseen)) {
        path.push_back(*data / "sluice/plugins");
    }
    return path;
}

}  // namespace sluice::registry
