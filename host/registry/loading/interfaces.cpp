#include "registry/loading/interfaces.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <mutex>
#include <set>
#include <span>

#include "registry/loading/reported_values.hpp"
#include "sluice/kind/batch_transform.h"
#include "sluice/kind/class_names.h"
#include "sluice/kind/device.h"
#include "sluice/kind/device_activity.h"
#include "sluice/kind/device_time.h"
#include "sluice/kind/identity.h"
#include "sluice/kind/kernel.h"
#include "sluice/kind/layer.h"
#include "sluice/kind/libraries.h"
#include "sluice/kind/observer.h"
#include "sluice/kind/optimizer.h"
#include "sluice/kind/precision.h"
#include "sluice/kind/processes.h"
#include "sluice/kind/sampling.h"
#include "sluice/kind/source.h"
#include "sluice/kind/step.h"
#include "sluice/kind/strategy.h"
#include "sluice/kind/streams.h"
#include "sluice/kind/transform.h"
#include "sluice/kind/usage.h"
#include "sluice/kind/window.h"

namespace sluice::registry {
namespace {

// Names of a table's functions in their order. A leading '?' marks one that may be NULL. Tables hold only function
// pointers.
template <class Table>
using Slots = const char* const[sizeof(Table) / sizeof(void*)];

constexpr Slots<sluice_device> kDevice = {"count",       "create",     "destroy",   "info",          "alloc",
                                          "free",        "host_alloc", "host_free", "stream_create", "stream_destroy",
                                          "stream_wait", "copy",       "zero"};
constexpr Slots<sluice_layer> kLayer = {"create", "destroy", "traits", "infer", "?finalize"};
constexpr Slots<sluice_kernel> kKernel = {"create", "destroy", "supports", "plan", "release", "forward", "backward"};
constexpr Slots<sluice_optimizer> kOptimizer = {"create", "destroy", "describe", "update"};
constexpr Slots<sluice_source> kSource = {"create", "destroy", "describe", "context_create", "context_destroy", "read"};
constexpr Slots<sluice_transform> kTransform = {"create",         "destroy",         "describe",
                                                "context_create", "context_destroy", "apply"};
constexpr Slots<sluice_precision> kPrecision = {"create", "destroy", "traits", "choose"};
constexpr Slots<sluice_strategy> kStrategy = {"create", "destroy", "topology", "start", "finish", "abort"};
constexpr Slots<sluice_observer> kObserver = {"create", "destroy", "wants", "on_event"};

constexpr Slots<sluice_step> kStep = {"begin",  "add_loss", "workspace",    "sum_squares",
                                      "decide", "restore",  "move_average", "round"};
constexpr Slots<sluice_streams> kStreams = {"event_create", "event_destroy", "event_record",  "stream_wait_event",
                                            "event_wait",   "event_seconds", "capture_begin", "capture_end",
                                            "graph_launch", "graph_destroy"};
constexpr Slots<sluice_usage> kUsage = {"read"};
constexpr Slots<sluice_device_activity> kDeviceActivity = {"start", "stop"};
constexpr Slots<sluice_device_time> kDeviceTime = {"stamp"};
constexpr Slots<sluice_libraries> kLibraries = {"list"};
constexpr Slots<sluice_identity> kIdentity = {"identity"};
constexpr Slots<sluice_sampling> kSampling = {"classes", "weights"};
constexpr Slots<sluice_class_names> kClassNames = {"name"};
constexpr Slots<sluice_batch_transform> kBatchTransform = {"apply"};
constexpr Slots<sluice_processes> kProcesses = {"place", "gather"};
constexpr Slots<sluice_window_maker> kWindowMaker = {"extents", "apply"};
constexpr Slots<sluice_window_source> kWindowSource = {"has_windows", "extents", "read"};
constexpr Slots<sluice_window_choice> kWindowChoice = {"?expect", "choose", "?apply"};

struct Interface {
    const char* id;
    std::span<const char* const> slots;
};

const Interface& interface_of(Kind kind) {
    static constexpr Interface kInterfaces[] = {
        {SLUICE_DEVICE_V1, kDevice},       {SLUICE_LAYER_V1, kLayer},       {SLUICE_KERNEL_V1, kKernel},
        {SLUICE_OPTIMIZER_V1, kOptimizer}, {SLUICE_SOURCE_V1, kSource},     {SLUICE_TRANSFORM_V1, kTransform},
        {SLUICE_PRECISION_V1, kPrecision}, {SLUICE_STRATEGY_V1, kStrategy}, {SLUICE_OBSERVER_V1, kObserver},
    };
    return kInterfaces[static_cast<std::size_t>(kind)];
}

PluginCall::Function function_at(const void* table, std::size_t slot) {
    PluginCall::Function function = nullptr;
    std::memcpy(&function, static_cast<const char*>(table) + slot * sizeof(function), sizeof(function));
    return function;
}

// Name of the first required function that is NULL; null if there is none.
const char* missing_slot(const void* table, std::span<const char* const> slots) {
    for (std::size_t i = 0; i < slots.size(); ++i) {
        if (function_at(table, i) == nullptr && slots[i][0] != '?') {
            return slots[i];
        }
    }
    return nullptr;
}

// Name of a function in a table; null if the table does not hold it.
const char* name_in(const void* table, std::span<const char* const> slots, PluginCall::Function function) {
    for (std::size_t i = 0; i < slots.size(); ++i) {
        if (function_at(table, i) == function) {
            return slots[i] + (slots[i][0] == '?' ? 1 : 0);
        }
    }
    return nullptr;
}

// Tables of optional interfaces, kept in static memory because a signal handler reads them. Crash reports do not name
// functions of tables beyond the first 256.
class KnownTables {
public:
    void add(const void* table, std::span<const char* const> slots) {
        const std::lock_guard lock(guard_);
        const std::size_t count = count_;
        const bool is_known = std::any_of(tables_.data(), tables_.data() + count,
                                          [table](const Known& one) { return one.table == table; });
        if (count < tables_.size() && !is_known) {
            tables_[count] = {table, slots};
            count_ = count + 1;
        }
    }
    [[nodiscard]] const char* name_of(PluginCall::Function function) const {
        const char* name = nullptr;
        for (std::size_t i = 0, count = count_; i < count && name == nullptr; ++i) {
            name = name_in(tables_[i].table, tables_[i].slots, function);
        }
        return name;
    }

private:
    struct Known {
        const void* table = nullptr;
        std::span<const char* const> slots;
    };
    std::array<Known, 256> tables_{};
    std::atomic<std::size_t> count_ = 0;
    std::mutex guard_;
};
constinit KnownTables known_tables;

std::string check_component(const sluice_component& component, const ComponentManifest& manifest) {
    const Interface& wanted = interface_of(manifest.kind);
    const void* table = component.get(&component, wanted.id);
    if (table == nullptr) {
        return fmt::format("component '{}' has no interface {}", manifest.id, wanted.id);
    }
    const char* const missing = missing_slot(table, wanted.slots);
    return missing == nullptr ? std::string()
                              : fmt::format("component '{}': '{}' of {} is NULL", manifest.id, missing, wanted.id);
}

std::string check_header(const sluice_plugin& table) {
    constexpr std::uint32_t kMostComponents = 1 << 16;  // a larger number means a damaged table
    if (table.abi_major != SLUICE_ABI_MAJOR) {
        return fmt::format("its table was built for ABI {}.{}; this host supports {}.x", table.abi_major,
                           table.abi_minor, SLUICE_ABI_MAJOR);
    }
    if (table.component_count == 0 || table.component_count > kMostComponents || table.components == nullptr) {
        return fmt::format("its table claims {} components{}", table.component_count,
                           table.components == nullptr ? ", but components is NULL" : "");
    }
    if (table.reserved != 0) {
        return fmt::format("reserved of its table is {}; 0 is right", table.reserved);
    }
    return {};
}

}  // namespace

const void* optional_interface(const Component& component, const char* id) {
    static constexpr Interface kMore[] = {{SLUICE_STEP_V1, kStep},
                                          {SLUICE_STREAMS_V1, kStreams},
                                          {SLUICE_USAGE_V1, kUsage},
                                          {SLUICE_DEVICE_TIME_V1, kDeviceTime},
                                          {SLUICE_DEVICE_ACTIVITY_V1, kDeviceActivity},
                                          {SLUICE_LIBRARIES_V1, kLibraries},
                                          {SLUICE_IDENTITY_V1, kIdentity},
                                          {SLUICE_SAMPLING_V1, kSampling},
                                          {SLUICE_CLASS_NAMES_V1, kClassNames},
                                          {SLUICE_BATCH_TRANSFORM_V1, kBatchTransform},
                                          {SLUICE_PROCESSES_V1, kProcesses},
                                          {SLUICE_WINDOW_MAKER_V1, kWindowMaker},
                                          {SLUICE_WINDOW_SOURCE_V1, kWindowSource},
                                          {SLUICE_WINDOW_CHOICE_V1, kWindowChoice}};
    const PluginCall call{component.plugin, &component, nullptr, "get"};
    const void* const table = enter_call(call, component.entry->get, component.entry, id);
    const auto* const known =
        std::ranges::find_if(kMore, [&](const Interface& one) { return std::strcmp(one.id, id) == 0; });
    if (table != nullptr) {
        if (const char* const missing = missing_slot(table, known->slots)) {
            misbehaves(component, fmt::format("'{}' of {} is NULL", missing, id));
        }
    }
    if (table == nullptr) {
        return nullptr;
    }
    const void* const used = component.check == nullptr ? table : component.check->wrap(known->id, table);
    known_tables.add(used, known->slots);
    return used;
}

const char* interface_id(Kind kind) { return interface_of(kind).id; }

const char* name_of(const PluginCall& call) {
    if (call.name != nullptr) {
        return call.name;
    }
    const auto slots = interface_of(call.component->manifest->kind).slots;
    const char* const own = name_in(call.component->table, slots, call.function);
    return own != nullptr ? own : known_tables.name_of(call.function);
}

std::string inspect_table(const sluice_plugin& table, const PluginManifest& manifest) {
    if (std::string wrong = check_header(table); !wrong.empty()) {
        return wrong;
    }
    std::set<std::string> found;
    for (const sluice_component& component : std::span(table.components, table.component_count)) {
        constexpr std::uint64_t kLongestId = 4096;
        if (component.id.ptr == nullptr || component.id.len == 0 || component.id.len > kLongestId ||
            component.get == nullptr) {
            return fmt::format("component number {} of its table has no id or no get()", found.size());
        }
        const std::string id(component.id.ptr, component.id.len);
        if (!found.insert(id).second) {
            return fmt::format("component '{}' is in its table twice", id);
        }
        const auto declared = std::ranges::find(manifest.components, id, &ComponentManifest::id);
        if (declared != manifest.components.end()) {
            if (std::string wrong = check_component(component, *declared); !wrong.empty()) {
                return wrong;
            }
        } else if (std::ranges::count(manifest.unknown_components, id) == 0) {
            return fmt::format("component '{}' is in its table but not in its manifest", id);
        }
    }
    for (const ComponentManifest& declared : manifest.components) {
        if (!found.contains(declared.id)) {
            return fmt::format("component '{}' is in its manifest but not in its table", declared.id);
        }
    }
    return {};
}

}  // namespace sluice::registry
