#include "registry/loading/search_path.hpp"

#include <sstream>
#include <system_error>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/user_folders.hpp"

namespace sluice::registry {

namespace fs = std::filesystem;

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
