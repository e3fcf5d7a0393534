// What the host knows of a plugin's component and its objects while their calls are checked. An object of a plugin is
// known to the host by the address of its Watched, so that a call finds everything by the pointer that it is given.
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

#include "checked/breach.hpp"
#include "checked/lent_memory.hpp"
#include "registry/loading/registry.hpp"

namespace sluice::registry::checked {

// What a pointer of the ABI stands for.
enum class Handle : std::uint8_t { none, object, context, kernel, block, host_block, stream, event, graph };
const char* to_string(Handle handle);

// What a function has done for those that may follow it.
enum class Mark : std::uint8_t { none, described, expected, asked, extents, forward };

// From which threads a function may be called. The last two: from any, but serially for one context or replica.
enum class Tag : std::uint8_t { any, serial, enqueue, serial_for_context, serial_for_replica };
constexpr bool is_serial_for_object(Tag tag) { return tag == Tag::serial || tag == Tag::enqueue; }
constexpr bool is_serial_for_part(Tag tag) { return tag == Tag::serial_for_context || tag == Tag::serial_for_replica; }
// In the words of the headers: "[any], [serial] for one context".
const char* to_string(Tag tag);

// What a header says of a function; see the tables of contract.hpp.
struct Info {
    const char* name = nullptr;  // "apply"
    Tag tag = Tag::any;
    Handle on = Handle::object;  // what its first `void *` is
    std::array<Handle, 2> takes{};
    Handle makes = Handle::none;
    Handle ends = Handle::none;
    Mark does = Mark::none;
    Mark after = Mark::none;
    bool is_once = false;
    std::uint32_t fills = 1;  // elements of its output; kAll: as many as it is told
    bool is_supports = false;
    bool keeps_loan = false;     // what it is lent stays until the next call of the context
    bool takes_up_loan = false;  // and is lent again to this one
    bool writes_fields = false;  // the tensors are there to be written
    static constexpr std::uint32_t kAll = ~0U;
};

// Who is in a serial call.
class Serial {
public:
    // The name of the function that is in one already, or null: then it has begun.
    const char* enter(const char* function);
    void leave() { function_ = nullptr; }
    [[nodiscard]] bool is_this_thread() const { return thread_ == std::this_thread::get_id(); }

private:
    std::atomic<const char*> function_ = nullptr;
    std::atomic<std::thread::id> thread_;
};

class Watch;

struct Watched {
    Watched(Watch& watch, Handle kind, void* real, Watched* parent);

    Watch* watch;
    Handle kind;
    void* real;
    Watched* parent;  // of a context, a kernel: the object
    unsigned number;  // of its kind in its component, from 1
    std::atomic<bool> is_ended = false;
    std::atomic<int> running = 0;
    std::atomic<std::uint32_t> done = 0;  // marks
    Serial serial;
    std::atomic<int> parts = 0;  // contexts, kernels

    std::mutex guard;                          // of what follows
    std::map<void*, Handle> handles;           // blocks, streams, ...
    std::map<std::uint32_t, Serial> replicas;  // of a strategy
    std::unique_ptr<LentMemory> loan;          // see Info::keeps_loan
    const void* loan_of = nullptr;             // the host's address of what was lent
    void* lent = nullptr;                      // and the plugin's
    struct Counts {
        std::uint32_t inputs = 0;
        std::uint32_t outputs = 0;  // of a transform: fields that it writes
        std::uint32_t parameters = 0;
        std::uint32_t states = 0;
        std::uint32_t saved = 0;
    } counts;  // of a kernel's launches; of an optimizer: states
};

// The object behind a pointer that the host has; null where there is none. An ended one is known for a while.
std::shared_ptr<Watched> find_watched(const void* pointer);

// A component whose calls are checked. Its tables hold functions that check and then call the plugin's.
class Watch : public CallCheck {
public:
    Watch(const ComponentManifest& manifest, const PluginManifest& plugin, const sluice_host& host);
    ~Watch() override;

    const void* wrap(const char* id, const void* table) override;
    template <class Table>
    [[nodiscard]] const Table* real(const char* id) {
        return static_cast<const Table*>(real_of(id));
    }

    // By what create() is given a call finds us before there is an object.
    [[nodiscard]] const sluice_host* host() const override { return &host_.abi; }
    void report() override;
    static Watch* of(const sluice_host* host);

    [[nodiscard]] const ComponentManifest& manifest() const { return *manifest_; }
    [[nodiscard]] const PluginManifest& plugin() const { return *plugin_; }
    // Threads are for CPUs.
    [[nodiscard]] bool is_elsewhere() const { return is_elsewhere_; }

    std::shared_ptr<Watched> add(Handle kind, void* real, Watched* parent);
    void end(Watched& watched);

private:
    const void* real_of(const char* id);

    struct Host {
        sluice_host abi;
        Watch* watch;
    };
    struct Served {
        const void* real;
        std::shared_ptr<const void> wrapped;
    };

    const ComponentManifest* manifest_;
    const PluginManifest* plugin_;
    Host host_;
    bool is_elsewhere_;
    std::mutex guard_;
    std::map<std::string, Served> tables_;
    std::array<unsigned, 4> made_{};  // of each kind of Watched
    std::array<std::shared_ptr<Watched>, 16> ended_;
    std::size_t next_ended_ = 0;
};

// "plugin test.x 1.0 misbehaves: describe() of transform 'wind' (test.x.wind), object 2, changes ...; rule ...: ...",
// or that it is a defect of Sluice. watch and watched may be null.
Breach describe_breach(const Watch* watch, Rule rule, const char* function, const Watched* watched,
                       const std::string& seen);

// Chooses for the next call of that function, of any component in this process: closed after the first 256 calls, and
// after about every eighth of those that follow.
[[nodiscard]] AfterCall after_next(const Info& function);

// The function of the plugin that runs on the calling thread. Lives for ever.
const char* running_function();

}  // namespace sluice::registry::checked
