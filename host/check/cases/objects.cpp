// Every kind: objects beside each other and one after another, and what they leave to the process.
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <fstream>
#include <thread>

#include "base/error.hpp"
#include "check/cases/cases.hpp"
#include "check/surroundings.hpp"
#include "registry/fault_guard.hpp"

namespace sluice::check {
namespace {

using Clock = std::chrono::steady_clock;

void same_from_two_objects(Trial& trial) {
    const auto first = trial.make();
    const std::string alone = first->use();
    const auto second = trial.make();
    expect(second->use() == alone, "a second object beside the first gives something else");
    expect(first->use() == alone, "the first object gives something else once there is a second");
    auto third = trial.make();
    third->use();
    third.reset();
    expect(second->use() == alone, "an object gives something else after another one was destroyed");
}

void same_on_threads(Trial& trial) {
    const std::string alone = trial.make()->use();
    constexpr std::size_t kThreads = 3;
    std::string wrong[kThreads];
    const auto run = [&](std::string& problem) {
        try {
            for (int turn = 0; turn < 3; ++turn) {
                if (trial.make()->use() != alone) {
                    problem = "objects on three threads at once give something else than one alone";
                }
            }
        } catch (const std::exception& error) {
            problem = error.what();
        }
    };
    {
        std::vector<std::jthread> threads;
        for (std::string& problem : wrong) {
            threads.emplace_back([&] { run(problem); });
        }
    }
    for (const std::string& problem : wrong) {
        expect(problem.empty(), problem);
    }
}

// create() and destroy() alone: what they do not give back is lost for each object.
void gives_memory_back(Trial& trial) {
    trial.make();
    if (bytes_in_use() == 0) {
        throw NotShown("malloc() of this build does not say what it has given");
    }
    constexpr auto kPatience = std::chrono::seconds(1);
    constexpr std::size_t kMost = 1000;
    constexpr std::size_t kFirst = 20;  // until what is kept for good is there
    std::size_t count = 0;
    std::size_t before = 0;
    const auto begin = Clock::now();
    while (count < kMost && Clock::now() - begin < kPatience) {
        before = count == kFirst ? bytes_in_use() : before;
        void* self = nullptr;
        const Answer answer = trial.create(trial.options(), self);
        expect(answer.status == SLUICE_OK, fmt::format("create() number {} fails: {}", count + 1, answer.message));
        trial.destroy(self);
        ++count;
    }
    if (count <= kFirst) {
        throw NotShown(fmt::format("{} objects took a second", count));
    }
    const std::size_t kept = bytes_in_use() - std::min(before, bytes_in_use());
    constexpr std::size_t kFew = 16;
    if (kept > kFew * (count - kFirst)) {
        trial.warn(fmt::format("{} objects, made and destroyed, keep {} bytes, {} of each", count - kFirst, kept,
                               kept / (count - kFirst)));
    }
}

// By all that the process has written so far: both streams go to one file. Opened by name, so that what is written
// later is not moved.
std::string printed() {
    std::fflush(nullptr);
    std::ifstream file("/proc/self/fd/1", std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

void prints_nothing(Trial& trial) {
    if (trial.manifest().kind == registry::Kind::observer) {
        throw NotShown("an observer may write to the terminal: that is what it is for");
    }
    const std::string before = printed();
    trial.make()->use();
    const std::string after = printed();
    if (after.size() > before.size()) {
        trial.warn(fmt::format("it prints '{}'; what is to be said goes to the host's log ({})",
                               after.substr(before.size(), 60), SLUICE_LOG_V1));
    }
}

void changes_nothing_of_the_process(Trial& trial) {
    registry::fault_guard();  // the host's own handlers
    trial.component();
    const Surroundings before;
    trial.make()->use();
    const std::string changed = before.changed_in(Surroundings());
    expect(changed.empty(), fmt::format("it changes {}, which belongs to the host", changed));
}

constexpr Case kCases[] = {
    {"objects.beside", "Objects of one component live beside each other and do not touch each other.",
     same_from_two_objects},
    {"objects.threads", "Objects are made and used on several threads at once.", same_on_threads},
    {"objects.memory", "destroy() gives back all that create() took.", gives_memory_back},
    {"process.quiet", "Nothing is printed: what is to be said goes to the host's log.", prints_nothing},
    {"process.kept", "Signal handlers, locale, rounding, working folder, file mask and cores stay as they are.",
     changes_nothing_of_the_process},
};

}  // namespace

std::span<const Case> object_cases() { return kCases; }

}  // namespace sluice::check
