// An XSpace as XProf reads it.
#include "unit/plugins/profiles/parsed_xspace.hpp"

#include <algorithm>
#include <protozero/pbf_reader.hpp>
#include <stdexcept>

namespace sluice::observers::tests {
namespace {

using Names = std::map<std::int64_t, std::string>;

void read_name(protozero::pbf_reader entry, Names& names) {
    std::int64_t key = 0;
    while (entry.next()) {
        if (entry.tag() == 1) {
            key = entry.get_int64();
        } else {
            protozero::pbf_reader value = entry.get_message();
            while (value.next()) {
                if (value.tag() == 2) {
                    names[key] = value.get_string();
                } else {
                    value.skip();
                }
            }
        }
    }
}

void read_stat(protozero::pbf_reader stat, const Names& names, ParsedStats& stats) {
    std::string name;
    while (stat.next()) {
        switch (stat.tag()) {
            case 1:
                name = names.at(stat.get_int64());
                break;
            case 2:
                stats[name] = std::to_string(stat.get_double());
                break;
            case 3:
                stats[name] = std::to_string(stat.get_uint64());
                break;
            case 4:
                stats[name] = std::to_string(stat.get_int64());
                break;
            case 5:
                stats[name] = stat.get_string();
                break;
            default:
                stats[name] = names.at(static_cast<std::int64_t>(stat.get_uint64()));
        }
    }
}

ParsedEvent read_event(protozero::pbf_reader event, const Names& events, const Names& stats) {
    ParsedEvent parsed;
    while (event.next()) {
        switch (event.tag()) {
            case 1:
                parsed.name = events.at(event.get_int64());
                break;
            case 2:
                parsed.begin_ps = event.get_int64();
                break;
            case 3:
                parsed.duration_ps = event.get_int64();
                break;
            default:
                read_stat(event.get_message(), stats, parsed.stats);
        }
    }
    return parsed;
}

ParsedLine read_line(protozero::pbf_reader line, const Names& events, const Names& stats) {
    ParsedLine parsed;
    while (line.next()) {
        switch (line.tag()) {
            case 1:
                parsed.id = line.get_int64();
                break;
            case 2:
                parsed.name = line.get_string();
                break;
            default:
                parsed.events.push_back(read_event(line.get_message(), events, stats));
        }
    }
    return parsed;
}

ParsedPlane read_plane(const protozero::data_view& bytes) {
    Names events;
    Names stats;
    for (protozero::pbf_reader plane(bytes); plane.next();) {
        if (plane.tag() == 4 || plane.tag() == 5) {
            read_name(plane.get_message(), plane.tag() == 4 ? events : stats);
        } else {
            plane.skip();
        }
    }
    ParsedPlane parsed;
    for (const auto& [id, name] : stats) {
        parsed.stat_names.push_back(name);
    }
    for (protozero::pbf_reader plane(bytes); plane.next();) {
        if (plane.tag() == 2) {
            parsed.name = plane.get_string();
        } else if (plane.tag() == 3) {
            parsed.lines.push_back(read_line(plane.get_message(), events, stats));
        } else if (plane.tag() == 6) {
            read_stat(plane.get_message(), stats, parsed.stats);
        } else {
            plane.skip();
        }
    }
    return parsed;
}

template <class T>
const T& named(const std::vector<T>& all, const std::string& wanted) {
    const auto found = std::find_if(all.begin(), all.end(), [&](const T& one) { return one.name == wanted; });
    if (found == all.end()) {
        throw std::runtime_error("the file has no '" + wanted + "'");
    }
    return *found;
}

}  // namespace

const ParsedLine& ParsedPlane::line(const std::string& wanted) const { return named(lines, wanted); }

std::vector<ParsedEvent> ParsedPlane::events(const std::string& wanted) const {
    std::vector<ParsedEvent> found;
    for (const ParsedLine& line : lines) {
        std::copy_if(line.events.begin(), line.events.end(), std::back_inserter(found),
                     [&](const ParsedEvent& event) { return event.name == wanted; });
    }
    return found;
}

const ParsedPlane& ParsedXSpace::plane(const std::string& wanted) const { return named(planes, wanted); }

ParsedXSpace parse_xspace(const std::string& bytes) {
    ParsedXSpace parsed;
    for (protozero::pbf_reader space(bytes); space.next();) {
        if (space.tag() == 1) {
            parsed.planes.push_back(read_plane(space.get_view()));
        } else {
            parsed.hosts.push_back(space.get_string());
        }
    }
    return parsed;
}

}  // namespace sluice::observers::tests
