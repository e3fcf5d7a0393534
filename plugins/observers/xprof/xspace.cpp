// The format of XProf's files.
#include "xprof/xspace.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <protozero/pbf_writer.hpp>
#include <tuple>

namespace sluice::observers {
namespace {

// Field numbers of xplane.proto.
enum Space : std::uint32_t { kSpacePlanes = 1, kSpaceHosts = 4 };
enum Plane : std::uint32_t {
    kPlaneId = 1,
    kPlaneName = 2,
    kPlaneLines = 3,
    kPlaneEventNames = 4,
    kPlaneStatNames = 5,
    kPlaneStats = 6
};
enum Line : std::uint32_t { kLineId = 1, kLineName = 2, kLineEvents = 4 };
enum Event : std::uint32_t { kEventName = 1, kEventOffset = 2, kEventDuration = 3, kEventStats = 4 };
enum Statistic : std::uint32_t {
    kStatName = 1,
    kStatDouble = 2,
    kStatUnsigned = 3,
    kStatSigned = 4,
    kStatText = 5,
    kStatReference = 7
};
enum Named : std::uint32_t { kNamedId = 1, kNamedName = 2 };
enum MapEntry : std::uint32_t { kEntryKey = 1, kEntryValue = 2 };

constexpr std::int64_t kPicoseconds = 1000;  // of a nanosecond

// Numbers of names within a plane.
class Names {
public:
    std::int64_t id_of(const std::string& name) {
        return ids_.emplace(name, static_cast<std::int64_t>(ids_.size()) + 1).first->second;
    }
    void write(protozero::pbf_writer& plane, std::uint32_t field) const {
        for (const auto& [name, id] : ids_) {
            protozero::pbf_writer entry(plane, field);
            entry.add_int64(kEntryKey, id);
            protozero::pbf_writer value(entry, kEntryValue);
            value.add_int64(kNamedId, id);
            value.add_string(kNamedName, name);
        }
    }

private:
    std::map<std::string, std::int64_t> ids_;
};

class PlaneWriter {
public:
    PlaneWriter(protozero::pbf_writer& space, XPlane& plane) : out_(space, kSpacePlanes) { write(plane); }

private:
    void write(XPlane& plane) {
        out_.add_int64(kPlaneId, 1);
        out_.add_string(kPlaneName, plane.name);
        stat_names_.id_of("group_id");
        for (XLine& line : plane.lines) {
            write(line);
        }
        for (const XStat& stat : plane.stats) {
            write(out_, kPlaneStats, stat);
        }
        event_names_.write(out_, kPlaneEventNames);
        stat_names_.write(out_, kPlaneStatNames);
    }

    void write(XLine& line) {
        std::stable_sort(line.events.begin(), line.events.end(), [](const XEvent& a, const XEvent& b) {
            return std::tuple(a.begin_ns, b.duration_ns) < std::tuple(b.begin_ns, a.duration_ns);
        });
        protozero::pbf_writer out(out_, kPlaneLines);
        out.add_int64(kLineId, line.id);
        out.add_string(kLineName, line.name);
        std::vector<std::int64_t> around;  // ends of the events around the current one
        for (const XEvent& event : line.events) {
            while (!around.empty() && around.back() <= event.begin_ns) {
                around.pop_back();
            }
            // XProf loses an event that ends exactly when the event around it ends.
            const std::int64_t depth =
                std::min<std::int64_t>(static_cast<std::int64_t>(around.size()), kPicoseconds - 1);
            around.push_back(event.begin_ns + event.duration_ns);
            protozero::pbf_writer one(out, kLineEvents);
            one.add_int64(kEventName, event_names_.id_of(event.name));
            one.add_int64(kEventOffset, event.begin_ns * kPicoseconds);
            one.add_int64(kEventDuration, std::max<std::int64_t>(0, event.duration_ns * kPicoseconds - depth));
            for (const XStat& stat : event.stats) {
                write(one, kEventStats, stat);
            }
        }
    }

    void write(protozero::pbf_writer& parent, std::uint32_t field, const XStat& stat) {
        protozero::pbf_writer out(parent, field);
        out.add_int64(kStatName, stat_names_.id_of(std::string(stat.name)));
        if (const auto* const number = std::get_if<std::int64_t>(&stat.value)) {
            out.add_int64(kStatSigned, *number);
        } else if (const auto* const count = std::get_if<std::uint64_t>(&stat.value)) {
            out.add_uint64(kStatUnsigned, *count);
        } else if (const auto* const real = std::get_if<double>(&stat.value)) {
            out.add_double(kStatDouble, *real);
        } else if (const auto* const text = std::get_if<std::string>(&stat.value)) {
            out.add_string(kStatText, *text);
        } else {
            out.add_uint64(kStatReference,
                           static_cast<std::uint64_t>(stat_names_.id_of(std::get<Repeated>(stat.value).text)));
        }
    }

    protozero::pbf_writer out_;
    Names event_names_;
    Names stat_names_;
};

}  // namespace

std::string xspace(std::vector<XPlane> planes, std::string_view host) {
    std::string bytes;
    protozero::pbf_writer space(bytes);
    for (XPlane& plane : planes) {
        PlaneWriter(space, plane);
    }
    space.add_string(kSpaceHosts, host.data(), host.size());
    return bytes;
}

std::string operation_name(std::string_view name, std::string_view type) {
    constexpr std::string_view kAllowed = "_.\\/>-";
    std::string text(name);
    for (char& c : text) {
        if (std::isalnum(static_cast<unsigned char>(c)) == 0 && kAllowed.find(c) == std::string_view::npos) {
            c = '-';
        }
    }
    if (text.empty() || std::isalnum(static_cast<unsigned char>(text.front())) == 0) {
        text.insert(0, "x");
    }
    return text + ":" + std::string(type);
}

}  // namespace sluice::observers
