// Delivers events from the run to observers, through a bounded queue and on a separate thread.
//
// Observers cannot alter the run. If one throws, the bus logs it and calls it again at the next event. If observers are
// slow, the bus drops and counts step events, so that no step waits. Emitting a step event allocates nothing and rarely
// wakes the thread, which gathers the steps of some milliseconds. If an observer does not return from an event, the bus
// logs it. If the run waits for that observer, as at its end, it continues without observers after a timeout.
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

// A SLUICE_EVENT_STEP in fixed memory.
struct StepEvent {
    static constexpr std::size_t kMostScalars = 12;

    std::int64_t epoch = 0;
    std::int64_t step = 0;
    std::array<sluice_scalar, kMostScalars> scalars{};
    std::size_t scalar_count = 0;

    // `name` must be a literal, because it is not copied.
    template <std::size_t N>
    void add(const char (&name)[N], double value) {
        scalars.at(scalar_count++) = {{static_cast<const char*>(name), N - 1}, value};
    }
};

// All other events.
struct Event {
    std::uint32_t kind = SLUICE_EVENT_RUN_BEGIN;
    std::int64_t epoch = 0;
    std::int64_t step = 0;
    std::string text;
    std::vector<std::pair<std::string, double>> scalars;
    std::vector<std::pair<std::string, HostTensor>> tensors;
};

// Timeouts of one event in an observer: until a warning, and until the run no longer waits for it.
struct ObserverTimeouts {
    std::chrono::milliseconds named = std::chrono::seconds(10);
    std::chrono::milliseconds left = std::chrono::seconds(60);
};

class Bus {
public:
    explicit Bus(std::vector<registry::Observer> observers, ObserverTimeouts timeouts = {});
    // Delivers queued events, then stops the thread. If an observer blocks it, the thread and its data stay allocated.
    ~Bus();

    // True if any observer asked for this kind. Make copies for an event only then.
    [[nodiscard]] bool wanted(std::uint32_t kind) const;
    void emit(const StepEvent& event);
    void emit(Event event);
    // Waits until all emitted events are delivered. Returns false if an observer timed out or `most` passed before.
    bool flush(std::chrono::seconds most = std::chrono::hours(24));
    // Returns why observers failed at SLUICE_EVENT_RUN_END or one timed out, so that their output is incomplete.
    // Empty: it is complete.
    [[nodiscard]] std::string unfinished() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace sluice::observe
