#include "cli/terminal/shell_words.hpp"

#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "base/text/shell_quoted.hpp"

namespace sluice::cli {

namespace fs = std::filesystem;

std::string program() {
    const fs::path file = fs::read_symlink("/proc/self/exe");
    const char* path = std::getenv("PATH");
    std::istringstream folders(path == nullptr ? "" : path);
    for (std::string folder; std::getline(folders, folder, ':');) {
        std::error_code none;
        if (fs::equivalent(fs::path(folder) / "sluice", file, none)) {
            return "sluice";
        }
    }
    std::error_code error;
    const fs::path here = fs::current_path(error);
    const std::string near = error ? ".." : file.lexically_proximate(here).string();
    return shell_quoted(near.starts_with("..")                ? file.string()
                        : near.find('/') == std::string::npos ? "./" + near
                                                              : near);
}

}  // namespace sluice::cli
