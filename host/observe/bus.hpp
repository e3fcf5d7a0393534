// Events from the run to the observers, on a thread of their own behind a bounded queue. Observers cannot alter the
// run: one that throws is named in the log and called again at the next event; when they are slow, events of steps are
// dropped and counted before a step would have to wait. To hand over a step's event allocates nothing and seldom wakes
// a thread: observers gather the steps of some milliseconds. One that does not come back from an event is named, and a
// run that waits for it, as at its end, goes on without observers after a while.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/tensor.hpp"
#include "registry/objects/objects.hpp"

namespace sluice::observe {

// SLUICE_EVENT_STEP, in fixed memory.
struct StepEvent {
    static constexpr std::size_t kMostScalars = 12;

    std::int64_t epoch = 0;
    std::int64_t step = 0;
    std::array<sluice_scalar, kMostScalars> scalars{};
    std::size_t scalar_count = 0;

    // `name` is not copied: a literal.
    template <std::size_t N>
    void add(const char (&name)[N], double value) {
        scalars.at(scalar_count++) = {{static_cast<const char*>(name), N - 1}, value};
    }
};

// Every other event.
struct Event {
    std::uint32_t kind = SLUICE_EVENT_RUN_BEGIN;
    std::int64_t epoch = 0;
    std::int64_t step = 0;
    std::string text;
    std::vector<std::pair<std::string, double>> scalars;
    std::vector<std::pair<std::string, HostTensor>> tensors;
};

// How long an observer may be at one event until it is named, and until nobody waits for it any more.
struct Patience {
    std::chrono::milliseconds named = std::chrono::seconds(10);
    std::chrono::milliseconds left = std::chrono::seconds(60);
};

class Bus {
public:
    explicit Bus(std::vector<registry::Observer> observers, Patience patience = {});
    // Delivers what is queued, then ends the thread. One that an observer keeps is left behind, with what it uses.
    ~Bus();

    // Whether any observer asked for this kind: copies for it are made only then.
    [[nodiscard]] bool wanted(std::uint32_t kind) const;
    void emit(const StepEvent& event);
    void emit(Event event);
    // Returns when all that was emitted has been delivered, or an observer was left; after `most`, false.
    bool flush(std::chrono::seconds most = std::chrono::hours(24));
    // Why observers failed at SLUICE_EVENT_RUN_END, or one was left: what they write is not complete. Empty: it is.
    [[nodiscard]] std::string unfinished() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace sluice::observe
