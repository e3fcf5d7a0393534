#include "config/installed_pipelines.hpp"

#include <algorithm>
#include <system_error>

#include "base/files.hpp"

namespace sluice::config {
namespace {

namespace fs = std::filesystem;

fs::path installed_folder() { return (executable_folder() / SLUICE_PIPELINE_DIR).lexically_normal(); }

}  // namespace

std::optional<fs::path> installed_pipeline(const std::string& name) {
    if (!fs::path(name).parent_path().empty()) {
        return std::nullopt;
    }
    for (const std::string& file : {name, name + ".toml"}) {
        std::error_code none;
        if (fs::is_regular_file(installed_folder() / file, none)) {
            return installed_folder() / file;
        }
    }
    return std::nullopt;
}

std::vector<std::string> installed_pipelines() {
    std::vector<std::string> names;
    std::error_code none;
    for (fs::directory_iterator at(installed_folder(), none), end; !none && at != end; at.increment(none)) {
        names.push_back(at->path().filename().string());
    }
    std::ranges::sort(names);
    return names;
}

}  // namespace sluice::config
