#include "cli/terminal/pipeline_file.hpp"

#include <fmt/format.h>

#include <system_error>
#include <vector>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/text/nearest.hpp"
#include "config/installed_files.hpp"

namespace sluice::cli {

namespace fs = std::filesystem;

fs::path find_pipeline(const std::string& name) {
    std::error_code problem;
    const fs::file_status status = fs::status(name, problem);
    if (fs::exists(status)) {
        return name;
    }
    if (!fs::status_known(status)) {
        throw Error(Exit::config, fmt::format("{}: {}", name, problem.message()));
    }
    if (const auto installed = config::installed_pipeline(name)) {
        return *installed;
    }
    const bool has_folder = !fs::path(name).parent_path().empty();
    const std::vector<std::string> known = has_folder ? std::vector<std::string>() : config::installed_pipelines();
    throw Error(Exit::config, fmt::format("{}: there is no such file, and no installed pipeline of that name{}{}", name,
                                          suggestion(name, known), removed_folder_text(name)));
}

}  // namespace sluice::cli
