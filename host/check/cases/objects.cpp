// Cases for every kind: objects at the same time and one after another, and what they leave in the process.
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <fstream>
#include <future>
#include <thread>

#include "base/error.hpp"
#include "base/text/counted.hpp"
#include "check/cases/concurrent_threads.hpp"
#include "check/contract/cases.hpp"
#include "check/isolation/plugin_allocations.hpp"
#include "check/isolation/process_settings.hpp"
#include "registry/loading/fault_guard.hpp"

namespace sluice::check {
namespace {

using Clock = std::chrono::steady_clock;

void same_on_threads(Trial& trial) {
    const auto use_one = [&] {
        const auto object = trial.make();
        if (const std::string why = object->why_one_at_a_time(); !why.empty()) {
            throw CaseSkipped(why);
        }
        return object->use();
    };
    const std::string alone = use_one();
    constexpr std::size_t kThreads = 3;
    run_concurrently(kThreads, 0.2 * trial.thread_share(), 0, [&](std::size_t) {
        return [&](std::size_t) {
            expect(trial.make()->use() == alone, "objects on three threads at once give another result than one alone");
        };
    });
}

struct Times {
    std::size_t first;  // runs before the measurement, which fill caches
    std::size_t most;   // runs in all
    std::size_t least;  // runs in all
};
constexpr Times kOfObjects{20, 1000, 21};
constexpr Times kOfUses{3, 50, 6};

// Runs `again` for about a second. Calls settled() after the first `times.first` runs, and returns the number of runs
// after that. Slow work runs as often before settled() as after it.
template <class Again, class Settled>
std::size_t repeat(const Times& times, const Again& again, const Settled& settled) {
    constexpr auto kDuration = std::chrono::seconds(1);
    std::size_t count = 0;
    std::size_t first = times.first;
    std::size_t least = times.least;
    const auto begin = Clock::now();
    const auto is_over = [&] { return Clock::now() - begin >= kDuration; };
    while (count < times.most && (count < least || !is_over())) {
        if (count > 0 && count < first && is_over()) {
            first = count;
            least = std::min(times.least, 2 * count);
        }
        if (count == first) {
            settled();
        }
        again();
        ++count;
    }
    return count - first;
}

template <class Again>
void expect_no_more_bytes(Trial& trial, const Times& times, const std::string& what, std::size_t of_each,
                          const Again& again) {
    std::size_t before = 0;
    std::size_t threads = 0;
    PluginAllocations::Held held;
    const std::size_t count = repeat(times, again, [&] {
        before = bytes_in_use();
        threads = thread_count();
        held = PluginAllocations::held();
    });
    const PluginAllocations::Held now = PluginAllocations::held();
    const std::size_t kept = bytes_in_use() - std::min(before, bytes_in_use());
    constexpr std::size_t kSome = 16384;  // bytes that the host may keep for itself
    if (thread_count() > threads) {
        return;  // threads have memory of their own; objects.handles reports them
    }
    // Warns of one allocation per run or more. Memory that is kept once, or now and then, is a cache.
    if (trial.warnings().empty() && now.blocks >= held.blocks + std::max<std::size_t>(count, 2)) {
        trial.warn(fmt::format("{} {} leak {} of the plugin ({})", count, what,
                               counted(now.blocks - held.blocks, "allocation"),
                               counted(now.bytes - std::min(held.bytes, now.bytes), "byte")));
    }
    if (trial.warnings().empty() && kept > of_each * count + kSome) {
        trial.warn(fmt::format("{} {} leak {} bytes, {} each", count, what, kept, kept / count));
    }
}

void gives_memory_back(Trial& trial) {
    if (bytes_in_use() == 0) {
        throw CaseSkipped("malloc() of this build does not report how much memory is in use");
    }
    const PluginAllocations allocations(trial.component().entry);  // in the plugin even if calls are checked
    auto object = trial.make();
    constexpr std::size_t kFew = 16;        // bytes
    constexpr std::size_t kRecords = 2048;  // bytes; the host records which objects were destroyed
    expect_no_more_bytes(trial, kOfObjects, "objects that were made and destroyed", kFew, [&] {
        void* self = nullptr;
        const Answer answer = trial.create(trial.options(), self);
        expect(answer.status == SLUICE_OK, "create() fails after many calls: " + answer.message);
        trial.destroy(self);
    });
    expect_no_more_bytes(trial, kOfUses, "uses of one object", kFew, [&] { object->use(); });
    object.reset();
    expect_no_more_bytes(trial, kOfUses, "objects that were made, used and destroyed", kRecords,
                         [&] { trial.make()->use(); });
}

template <class Again>
void expect_no_more_handles(const std::string& what, const Again& again) {
    std::size_t files = 0;
    std::size_t threads = 0;
    const std::size_t count = repeat(kOfUses, again, [&] {
        files = descriptor_count();
        threads = thread_count();
    });
    if (thread_count() >= threads + count) {
        std::this_thread::sleep_for(std::chrono::milliseconds(200));  // some threads may be about to end
    }
    expect(descriptor_count() < files + count,
           fmt::format("{} {} leave {} open", count, what, counted(descriptor_count() - files, "file")));
    expect(thread_count() < threads + count,
           fmt::format("{} {} leave {} running", count, what, counted(thread_count() - threads, "thread")));
}

void leaves_no_handles(Trial& trial) {
    {
        const auto object = trial.make();
        expect_no_more_handles("uses of one object", [&] { object->use(); });
    }
    // Each object gets a thread of its own, because some libraries start threads once for each calling thread.
    expect_no_more_handles("objects that were made, used and destroyed",
                           [&] { std::async(std::launch::async, [&] { trial.make()->use(); }).get(); });
}

// Returns all that the process has printed so far. Both stdout and stderr go to one file. It is opened by name, so that
// reading does not move the position for later writes.
std::string printed() {
    std::fflush(nullptr);
    std::ifstream file("/proc/self/fd/1", std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

void prints_nothing(Trial& trial) {
    if (trial.manifest().kind == registry::Kind::observer) {
        throw CaseSkipped("an observer may print to the terminal");
    }
    const std::string before = printed();
    trial.make()->use();
    const std::string after = printed();
    if (after.size() > before.size()) {
        trial.warn(fmt::format("the plugin prints '{}'; messages belong in the host's log ({})",
                               after.substr(before.size(), 60), SLUICE_LOG_V1));
    }
}

void changes_nothing_of_the_process(Trial& trial) {
    registry::fault_guard();  // the host installs its own handlers first
    trial.component();
    const ProcessSettings before;
    trial.make()->use();
    const std::string changed = before.changed_in(ProcessSettings());
    expect(changed.empty(), fmt::format("the plugin changes {}, which belongs to the host", changed));
}

constexpr Case kObjectsCases[] = {
    {.name = "objects.beside",
     .proves = "Objects of one component, with equal or with different options, do not affect each other.",
     .run = objects_do_not_interfere,
     .limit_factor = 3},
    {"objects.threads", "Objects can be made and used on several threads at once.", same_on_threads},
    {.name = "objects.memory",
     .proves = "destroy() frees all that create() took, and repeated use takes no more memory.",
     .run = gives_memory_back,
     .limit_factor = 3},
    {.name = "objects.handles",
     .proves = "Repeated use leaves no file open and no thread running.",
     .run = leaves_no_handles,
     .limit_factor = 3},
    {"objects.no_memory", "If an allocation of the plugin fails, the call returns SLUICE_NO_MEMORY or succeeds.",
     survives_failing_allocations},
    {"process.quiet", "Nothing is printed, except by observers: messages go to the host's log.", prints_nothing},
    {"process.kept", "Signal handlers, locale, rounding, working folder, umask and CPU affinity stay the same.",
     changes_nothing_of_the_process},
};

}  // namespace

std::span<const Case> object_cases() { return kObjectsCases; }

}  // namespace sluice::check
