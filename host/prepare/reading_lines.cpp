#include "prepare/reading_lines.hpp"

#include <fmt/format.h>

#include "base/value.hpp"

namespace sluice::prepare {

std::string source_line(const std::filesystem::path& folder, const ShardFormat& format) {
    return fmt::format("source = {{ use = \"records\", path = {}{} }}", sluice::to_toml(Value{folder.string(), {}}),
                       format.reading());
}

std::string map_line(const Prefix& prefix) {
    std::string entries;
    for (const config::ComponentSpec& entry : prefix.left) {
        entries += (entries.empty() ? "" : ", ") + to_toml(entry);
    }
    return "map = [" + entries + "]";
}

}  // namespace sluice::prepare
