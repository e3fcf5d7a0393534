// State of a component and its objects while their calls are checked. The host holds the address of a TrackedObject
// instead of the plugin's object, so that a checked call finds all state from the pointer that it gets.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

#include "call_checks/breach.hpp"
#include "call_checks/lent_memory.hpp"
#include "registry/loading/call_check.hpp"
#include "registry/manifest/manifest.hpp"
#include "sluice/host.h"

namespace sluice::call_checks {

// Kinds of pointers in the ABI.
enum class Handle : std::uint8_t { none, object, context, kernel, block, host_block, stream, event, graph };
const char* to_string(Handle handle);

// Calls that have happened to an object; other functions require them first.
enum class Mark : std::uint8_t { none, described, expected, asked, extents, forward };

// Thread rule of a function. The last two allow any thread, but one call at a time for one context or replica.
enum class Tag : std::uint8_t { any, serial, enqueue, serial_for_context, serial_for_replica };
constexpr bool is_serial_for_object(Tag tag) { return tag == Tag::serial || tag == Tag::enqueue; }
constexpr bool is_serial_for_part(Tag tag) { return tag == Tag::serial_for_context || tag == Tag::serial_for_replica; }
// The rule as the headers write it: "[any], [serial] for one context".
const char* to_string(Tag tag);

// The rules of one function, built by the Function class of table_contract.hpp.
struct FunctionRules {
    const char* name = nullptr;  // "apply"
    Tag tag = Tag::any;
    Handle on = Handle::object;  // kind of the first `void *`
    std::array<Handle, 2> takes{};
    Handle makes = Handle::none;
    Handle ends = Handle::none;
    Mark does = Mark::none;
    Mark after = Mark::none;
    bool is_once = false;
    std::uint32_t fills = 1;  // elements of its output; kAll: the array length in the arguments
    bool is_supports = false;
    bool keeps_loan = false;     // its lent memory stays open until the context's next call
    bool takes_up_loan = false;  // gets the memory that a keeps_loan function left open
    bool writes_fields = false;  // may write to its tensors
    static constexpr std::uint32_t kAll = ~0U;
};

// Detects overlapping calls of functions that must be serial.
class Serial {
public:
    // Returns the name of the function that is already running; null if there is none and `function` was entered.
    const char* enter(const char* function);
    void leave() { function_ = nullptr; }
    [[nodiscard]] bool is_this_thread() const { return thread_ == std::this_thread::get_id(); }

private:
    std::atomic<const char*> function_ = nullptr;
    std::atomic<std::thread::id> thread_;
};

class CheckedComponent;

struct TrackedObject {
    TrackedObject(CheckedComponent& component, Handle kind, void* real, TrackedObject* parent);

    CheckedComponent* component;
    Handle kind;
    void* real;
    TrackedObject* parent;  // the object of a context or kernel; else null
    unsigned number;        // counts objects of this kind in the component, from 1
    std::atomic<bool> is_ended = false;
    std::atomic<int> running = 0;
    std::atomic<std::uint32_t> done = 0;  // bit i: Mark i
    Serial serial;
    std::atomic<int> parts = 0;  // contexts and kernels that exist

    std::mutex guard;                          // protects the members below
    std::map<void*, Handle> handles;           // blocks, streams, ...
    std::map<std::uint32_t, Serial> replicas;  // of a strategy
    // Memory that a keeps_loan function left open; see FunctionRules.
    struct Loan {
        std::unique_ptr<LentMemory> memory;
        const void* host_tensors = nullptr;  // the host's address of the lent tensors
        void* plugin_tensors = nullptr;      // the plugin's address of them
    } loan;
    struct Counts {
        std::uint32_t inputs = 0;
        std::uint32_t outputs = 0;
        std::uint32_t parameters = 0;
        std::uint32_t states = 0;
        std::uint32_t saved = 0;
    } counts;  // a kernel: tensors of its launches; an optimizer: states only
};

// Finds the object of a pointer that the host holds; null if there is none. The last 16 destroyed objects of a
// component are still found.
std::shared_ptr<TrackedObject> find_tracked(const void* pointer);

// A component whose calls are checked. Its wrapped tables check each call and then call the plugin's function.
class CheckedComponent : public registry::CallCheck {
public:
    CheckedComponent(const registry::ComponentManifest& manifest, const registry::PluginManifest& plugin,
                     const sluice_host& host);
    ~CheckedComponent() override;

    const void* wrap(const char* id, const void* table) override;
    template <class Table>
    [[nodiscard]] const Table* real(const char* id) {
        return static_cast<const Table*>(real_of(id));
    }

    // create() gets this host, from which of() finds the component before an object exists.
    [[nodiscard]] const sluice_host* host() const override { return &host_.abi; }
    void report() override;
    static CheckedComponent* of(const sluice_host* host);

    [[nodiscard]] const CalledComponent& component() const { return component_; }
    [[nodiscard]] const registry::ComponentManifest& manifest() const { return *component_.manifest; }
    // True if the component computes on another device than the CPU, so that it must get no CPU threads.
    [[nodiscard]] bool computes_off_cpu() const { return computes_off_cpu_; }

    std::shared_ptr<TrackedObject> add(Handle kind, void* real, TrackedObject* parent);
    void end(TrackedObject& tracked);

private:
    const void* real_of(const char* id);

    struct Host {
        sluice_host abi;
        CheckedComponent* component;
    };
    struct Served {
        const void* real;
        std::shared_ptr<const void> wrapped;
    };

    const CalledComponent component_;
    Host host_;
    bool computes_off_cpu_;
    std::mutex guard_;
    std::map<std::string, Served> tables_;
    std::array<unsigned, 4> made_{};  // objects made so far, by Handle
    std::array<std::shared_ptr<TrackedObject>, 16> ended_;
    std::size_t next_ended_ = 0;
};

// Chooses whether the next call of `function` closes its lent memory. The first 256 calls in this process do, then
// about one in eight. All components share the count.
[[nodiscard]] AfterCall after_next(const FunctionRules& function);

}  // namespace sluice::call_checks
