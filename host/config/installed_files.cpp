#include "config/installed_files.hpp"

#include <algorithm>
#include <system_error>

#include "base/files.hpp"

namespace sluice::config {
namespace {

namespace fs = std::filesystem;

fs::path installed_folder(const char* relative) { return (executable_folder() / relative).lexically_normal(); }

std::optional<fs::path> find_installed(const char* folder, const std::string& name) {
    if (!fs::path(name).parent_path().empty()) {
        return std::nullopt;
    }
    for (const std::string& file : {name, name + ".toml"}) {
        std::error_code none;
        if (fs::is_regular_file(installed_folder(folder) / file, none)) {
            return installed_folder(folder) / file;
        }
    }
    return std::nullopt;
}

std::vector<fs::path> list_installed(const char* folder) {
    std::vector<fs::path> files;
    std::error_code none;
    for (fs::directory_iterator at(installed_folder(folder), none), end; !none && at != end; at.increment(none)) {
        files.push_back(at->path());
    }
    std::ranges::sort(files);
    return files;
}

}  // namespace

std::optional<fs::path> installed_pipeline(const std::string& name) {
    return find_installed(SLUICE_PIPELINE_DIR, name);
}

std::optional<fs::path> installed_model(const std::string& name) { return find_installed(SLUICE_MODEL_DIR, name); }

std::vector<std::string> installed_pipelines() {
    std::vector<std::string> names;
    for (const fs::path& file : list_installed(SLUICE_PIPELINE_DIR)) {
        names.push_back(file.filename().string());
    }
    return names;
}

std::vector<std::string> installed_models() {
    std::vector<std::string> names;
    for (const fs::path& file : list_installed(SLUICE_MODEL_DIR)) {
        names.push_back(file.stem().string());
    }
    return names;
}

}  // namespace sluice::config
