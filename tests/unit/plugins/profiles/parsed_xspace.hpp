// An XSpace as XProf reads it, with numbers of names replaced by the names.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace sluice::observers::tests {

using ParsedStats = std::map<std::string, std::string>;  // numbers as text

struct ParsedEvent {
    std::string name;
    std::int64_t begin_ps = 0;
    std::int64_t duration_ps = 0;
    ParsedStats stats;

    [[nodiscard]] std::int64_t end_ps() const { return begin_ps + duration_ps; }
};

struct ParsedLine {
    std::int64_t id = 0;
    std::string name;
    std::vector<ParsedEvent> events;
};

struct ParsedPlane {
    std::string name;
    std::vector<ParsedLine> lines;
    std::vector<std::string> stat_names;
    ParsedStats stats;

    // The test fails with an exception if there is none.
    [[nodiscard]] const ParsedLine& line(const std::string& wanted) const;
    // All events of that name, in all lines.
    [[nodiscard]] std::vector<ParsedEvent> events(const std::string& wanted) const;
};

struct ParsedXSpace {
    std::vector<ParsedPlane> planes;
    std::vector<std::string> hosts;

    [[nodiscard]] const ParsedPlane& plane(const std::string& wanted) const;
};

ParsedXSpace parse_xspace(const std::string& bytes);

}  // namespace sluice::observers::tests
