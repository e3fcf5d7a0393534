// Delivers events from the run to observers, through a bounded queue and on a separate thread.
//
// Observers cannot alter the run. If one throws, the bus logs it and calls it again at the next event. If observers are
// slow, the bus drops and counts step events, so that no step waits. Emitting a step event allocates nothing and rarely
// wakes the thread, which gathers the steps of some milliseconds. If an observer does not return from an event, the bus
// logs it. If the run waits for that observer, as at its end, it continues without observers after a timeout.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "observe/event.hpp"
#include "observe/observer_watch.hpp"
#include "registry/objects/observer.hpp"

namespace sluice::observe {

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
