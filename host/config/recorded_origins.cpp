#include "config/recorded_origins.hpp"

#include <optional>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

namespace sluice::config {
namespace {

// Returns the comment of `line`, from to_pipeline_toml(), if its text without the comment is `plain`; else nullopt.
std::optional<std::string> comment_after(std::string_view line, std::string_view plain) {
    const std::size_t mark = line.find_first_not_of(' ', plain.size());
    const bool is_same = line.starts_with(plain) && mark != std::string_view::npos && mark > plain.size() + 1;
    return is_same && line.substr(mark).starts_with("# ") ? std::optional(std::string(line.substr(mark + 2)))
                                                          : std::nullopt;
}

// Lines and their numbers, by the header of their table.
using Sections = std::map<std::string, std::vector<std::pair<int, std::string>>>;

Sections split(const std::string& text) {
    Sections sections;
    std::string section;
    std::istringstream stream(text);
    int number = 0;
    for (std::string line; std::getline(stream, line);) {
        ++number;
        if (line.starts_with('[')) {
            section = line;
        } else {
            sections[section].emplace_back(number, line);
        }
    }
    return sections;
}

}  // namespace

RecordedOrigins recorded_origins(const std::string& file, const std::string& plain, const std::string& commented) {
    RecordedOrigins recorded{file, {}};
    Sections known = split(commented);
    for (const auto& [section, lines] : split(plain)) {
        auto& candidates = known[section];
        for (const auto& [number, line] : lines) {
            for (auto at = candidates.begin(); at != candidates.end(); ++at) {
                if (auto comment = comment_after(at->second, line)) {
                    recorded.lines[number] = std::move(*comment);
                    candidates.erase(at);  // each of several equal lines has its own comment
                    break;
                }
            }
        }
    }
    return recorded;
}

}  // namespace sluice::config
