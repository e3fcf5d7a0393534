// Allocations and releases for XProf's memory profile.
#include "xprof/memory_line.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "profile/arena.hpp"
#include "profile/labels.hpp"
#include "sluice/sdk/guard.hpp"
#include "sluice/sdk/tensor.hpp"
#include "xprof/steps.hpp"

namespace sluice::observers {
namespace {

constexpr std::int64_t kMemoryThread = 0x6d656d;  // no thread of the host has this number

// Numbers of tensorflow.DataType.
std::int64_t data_type_of(sluice_dtype dtype) {
    return sdk::same(dtype, sdk::kBfloat16) ? 14 : sdk::same(dtype, sdk::kFloat16) ? 19 : 1;
}

// An allocator holds this after an event. All are numbers of bytes.
struct Held {
    std::int64_t capacity;
    std::int64_t in_use;
    double fragmentation;
};

// XProf pairs an allocation with its release by the address.
class Timeline {
public:
    explicit Timeline(std::string allocator) : allocator_(std::move(allocator)) {}

    XEvent event(std::int64_t at, bool begins, std::uint64_t bytes, std::int64_t address, const Held& held) {
        peak_ = std::max(peak_, held.in_use);
        const auto size = static_cast<std::int64_t>(bytes);
        return {begins ? "MemoryAllocation" : "MemoryDeallocation",
                at,
                0,
                {{"allocator_name", allocator_},
                 {"bytes_reserved", std::int64_t{0}},  // besides those in use: XProf adds the two
                 {"bytes_allocated", held.in_use},
                 {"bytes_available", std::max<std::int64_t>(0, held.capacity - held.in_use)},
                 {"fragmentation", held.fragmentation},
                 {"peak_bytes_in_use", peak_},
                 {"requested_bytes", size},
                 {"allocation_bytes", size},
                 {"addr", address}}};
    }

private:
    std::string allocator_;
    std::int64_t peak_ = 0;
};

void add_all(std::vector<XStat>& stats, std::vector<XStat> more) {
    stats.insert(stats.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

void add_arena(const Window& window, std::vector<XEvent>& events) {
    Timeline timeline("arena");
    const auto capacity = static_cast<std::int64_t>(arena_bytes(window));
    std::int64_t address = 0;
    std::vector<std::int64_t> addresses(window.tensors().size());
    for (const ArenaChange& change : arena_changes(window)) {
        const sluice_profile_tensor& tensor = window.tensors()[change.tensor];
        if (change.begins) {
            addresses[change.tensor] = ++address;
        }
        XEvent event = timeline.event(change.time_ns, change.begins, tensor.bytes, addresses[change.tensor],
                                      {capacity, static_cast<std::int64_t>(change.live_bytes), change.fragmentation});
        add_all(event.stats, group_of(change.step));
        if (change.begins) {
            const sluice_profile_operation& operation = window.operations()[tensor.first_operation];
            add_all(event.stats, {{"tf_op", std::string(sdk::view(tensor.name))},
                                  {"region_type", std::string("temp")},
                                  {"data_type", data_type_of(operation.dtype)},
                                  {"shape", std::string(sdk::view(operation.shape))}});
        }
        events.push_back(std::move(event));
    }
}

void add_allocations(const Window& window, std::vector<XEvent>& events) {
    Timeline timeline("allocations");
    std::int64_t in_use = 0;
    std::int64_t address = 0;
    std::map<std::uint64_t, std::vector<std::int64_t>> live;  // addresses by size: a release names no address
    for (const sluice_span& span : window.spans()) {
        const bool begins = span.kind == SLUICE_SPAN_ALLOCATION;
        if (!begins && span.kind != SLUICE_SPAN_RELEASE) {
            continue;
        }
        std::vector<std::int64_t>& same_size = live[span.bytes];
        if (begins || same_size.empty()) {
            same_size.push_back(++address);
        }
        const std::int64_t block = same_size.back();
        if (!begins) {
            same_size.pop_back();
        }
        const auto bytes = static_cast<std::int64_t>(span.bytes);
        // Blocks from before the window may be released in it.
        in_use = std::max<std::int64_t>(0, begins ? in_use + bytes : in_use - bytes);
        XEvent event = timeline.event(span.begin_ns, begins, span.bytes, block, {in_use, in_use, 0.0});
        add_all(event.stats, group_of(span.step));
        if (begins) {
            add_all(event.stats, {{"tf_op", label_of(window, span)}, {"region_type", std::string("persist/dynamic")}});
        }
        events.push_back(std::move(event));
    }
}

void add_points(const Window& window, std::vector<XEvent>& events) {
    struct Track {
        Timeline timeline;
        std::int64_t value = 0;
    };
    std::map<std::string_view, Track> tracks;
    std::int64_t address = std::numeric_limits<std::int32_t>::max();
    for (const sluice_profile_point& point : window.points()) {
        if (!std::isfinite(point.value) || point.value < 0.0 || point.value > 1e18) {
            continue;
        }
        const std::string_view name = window.name(point.name);
        Track& track = tracks.emplace(name, Track{Timeline(std::string(name))}).first->second;
        const auto value = static_cast<std::int64_t>(point.value);
        const std::int64_t change = value - track.value;
        track.value = value;
        events.push_back(track.timeline.event(point.time_ns, change >= 0,
                                              static_cast<std::uint64_t>(change >= 0 ? change : -change), ++address,
                                              {value, value, 0.0}));
    }
}

}  // namespace

XLine memory_line(const Window& window) {
    XLine line{kMemoryThread, "memory", {}};
    add_arena(window, line.events);
    add_allocations(window, line.events);
    add_points(window, line.events);
    return line;
}

XPlane counter_plane(const Window& window) {
    XLine line{1, "_counters_", {}};
    for (const sluice_profile_point& point : window.points()) {
        if (std::isfinite(point.value)) {
            line.events.push_back(
                {std::string(window.name(point.name)), point.time_ns, 0, {{"counter_value", point.value}}});
        }
    }
    for (const ArenaChange& change : arena_changes(window)) {
        line.events.push_back(
            {"arena_tensor_bytes", change.time_ns, 0, {{"counter_value", static_cast<double>(change.live_bytes)}}});
    }
    return {"/device:CUSTOM:Memory", {std::move(line)}, {}};
}

}  // namespace sluice::observers
