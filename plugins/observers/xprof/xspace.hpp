// The format of XProf's files (XSpace, tsl/profiler/protobuf/xplane.proto): planes of lines of events with statistics.
// XProf recognises events and statistics by their names.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace sluice::observers {

// A text that repeats much, which the file then holds once.
struct Repeated {
    std::string text;
};

struct XStat {
    std::string_view name;  // a literal
    std::variant<std::int64_t, std::uint64_t, double, std::string, Repeated> value;
};

struct XEvent {
    std::string name;
    std::int64_t begin_ns;  // since the window began
    std::int64_t duration_ns;
    std::vector<XStat> stats;
};

struct XLine {
    std::int64_t id;
    std::string name;
    std::vector<XEvent> events;
};

struct XPlane {
    std::string name;
    std::vector<XLine> lines;
    std::vector<XStat> stats;
};

// Sorts the events of lines as XProf needs them: by begin, and of equal ones the longer first.
// Each plane gets the statistic `group_id`, since XProf would otherwise group all events again.
std::string xspace(std::vector<XPlane> planes, std::string_view host);

// XProf takes an event as an operation if its name is "NAME:Type" in a limited set of characters.
std::string operation_name(std::string_view name, std::string_view type);

}  // namespace sluice::observers
