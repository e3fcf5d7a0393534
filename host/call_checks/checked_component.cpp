#include "call_checks/checked_component.hpp"

#include <algorithm>
#include <shared_mutex>
#include <unordered_map>

#include "call_checks/breach_report.hpp"
#include "call_checks/wrap.hpp"
#include "registry/manifest/manifest.hpp"

namespace sluice::call_checks {
namespace {

// All TrackedObject objects of all components. An unknown pointer is not in the map and must not be dereferenced.
class Population {
public:
    void add(const std::shared_ptr<TrackedObject>& one) {
        const std::unique_lock lock(guard_);
        all_[one.get()] = one;
    }
    void remove(const TrackedObject* one) {
        const std::unique_lock lock(guard_);
        all_.erase(one);
    }
    std::shared_ptr<TrackedObject> find(const void* pointer) {
        const std::shared_lock lock(guard_);
        const auto found = all_.find(pointer);
        return found == all_.end() ? nullptr : found->second;
    }

private:
    std::shared_mutex guard_;
    std::unordered_map<const void*, std::shared_ptr<TrackedObject>> all_;
};

Population& population() {
    static Population all;
    return all;
}

// The host's threads are for the CPU. Device components other than "cuda" count as CPU devices.
bool has_other_device(const registry::ComponentManifest& manifest) {
    const std::string& device = manifest.kind == registry::Kind::device ? manifest.provides : manifest.device;
    return device == "cuda" || (manifest.kind != registry::Kind::device && !device.empty() && device != "cpu");
}

}  // namespace

const char* to_string(Handle handle) {
    constexpr std::array kNames{"pointer", "object", "context", "kernel", "block", "block of host memory",
                                "stream",  "event",  "graph"};
    return kNames[static_cast<std::size_t>(handle)];
}

const char* to_string(Tag tag) {
    constexpr std::array kTexts{"[any]", "[serial]", "[enqueue]", "[any], [serial] for one context",
                                "[any], [serial] for one replica"};
    return kTexts[static_cast<std::size_t>(tag)];
}

const char* Serial::enter(const char* function) {
    const char* nobody = nullptr;
    if (!function_.compare_exchange_strong(nobody, function)) {
        return nobody;
    }
    thread_ = std::this_thread::get_id();
    return nullptr;
}

TrackedObject::TrackedObject(CheckedComponent& its_component, Handle its_kind, void* its_real,
                             TrackedObject* its_parent)
    : component(&its_component), kind(its_kind), real(its_real), parent(its_parent), number(0) {}

std::shared_ptr<TrackedObject> find_tracked(const void* pointer) { return population().find(pointer); }

CheckedComponent::CheckedComponent(const registry::ComponentManifest& manifest, const registry::PluginManifest& plugin,
                                   const sluice_host& host)
    : component_{&manifest, &plugin}, host_{host, this}, computes_off_cpu_(has_other_device(manifest)) {
    LentMemory::watch_signal();
}

CheckedComponent::~CheckedComponent() {
    LentMemory::forget(component_);
    for (const auto& one : ended_) {
        population().remove(one.get());
    }
}

void CheckedComponent::report() {
    if (const auto breach = take_breach()) {
        throw_breach(*breach);
    }
}

AfterCall after_next(const FunctionRules& function) {
    static std::array<std::atomic<std::uint32_t>, 1024> loans{};
    constexpr std::uint32_t kAllOf = 256;
    const std::uint32_t number =
        loans[reinterpret_cast<std::uintptr_t>(&function) / sizeof(FunctionRules) % loans.size()]++;
    // Hashes the number, so that the choice does not follow the fixed order in which a network calls its kernels.
    constexpr std::uint32_t kScatter = 2654435761;
    const bool is_chosen = number < kAllOf || (number * kScatter) >> 29 == 0;
    return is_chosen ? AfterCall::is_closed : AfterCall::stays_open;
}

CheckedComponent* CheckedComponent::of(const sluice_host* host) {
    return reinterpret_cast<const Host*>(host)->component;
}

const void* CheckedComponent::wrap(const char* id, const void* table) {
    const std::lock_guard lock(guard_);
    Served& served = tables_[id];
    if (served.wrapped == nullptr) {
        served = {table, wrap_table(*this, id, table)};
    }
    return served.wrapped.get();
}

const void* CheckedComponent::real_of(const char* id) {
    const std::lock_guard lock(guard_);
    return tables_.at(id).real;
}

std::shared_ptr<TrackedObject> CheckedComponent::add(Handle kind, void* real, TrackedObject* parent) {
    auto made = std::make_shared<TrackedObject>(*this, kind, real, parent);
    {
        const std::lock_guard lock(guard_);
        made->number = ++made_[static_cast<std::size_t>(kind)];
    }
    population().add(made);
    if (parent != nullptr) {
        ++parent->parts;
    }
    return made;
}

void CheckedComponent::end(TrackedObject& tracked) {
    tracked.is_ended = true;
    tracked.loan.memory.reset();
    if (tracked.parent != nullptr) {
        --tracked.parent->parts;
    }
    const std::lock_guard lock(guard_);
    auto& place = ended_[next_ended_++ % ended_.size()];
    if (place != nullptr) {
        population().remove(place.get());
    }
    place = population().find(&tracked);
}

}  // namespace sluice::call_checks
