#include "cli/terminal/shell_words.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string_view>

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

std::string shell_quoted(const std::string& word) {
    const bool is_safe = !word.empty() && std::ranges::all_of(word, [](unsigned char c) {
        return std::isalnum(c) != 0 || c >= 0x80 ||
               std::string_view("/._-+,:@%=").find(static_cast<char>(c)) != std::string_view::npos;
    });
    if (is_safe) {
        return word;
    }
    std::string quoted = "'";
    for (const char c : word) {
        quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    }
    return quoted + "'";
}

}  // namespace sluice::cli
