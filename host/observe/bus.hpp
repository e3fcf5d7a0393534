// Delivers events from the run to observers, through bounded queues and on separate threads.
//
// Observers cannot alter the run. If one throws, the bus logs it and calls it again at the next event. If observers are
// slow, the bus drops and counts events of steps, usage and profiles, so that no step waits. Emitting a step event
// allocates nothing and rarely wakes the thread, which gathers the steps of some milliseconds. If an observer does not
// return from an event, the bus logs it. If the run waits for that observer, as at its end, it continues without
// observers after a timeout. Held observers have a thread of their own: the run waits until they have handled an event.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "observe/event.hpp"
#include "observe/lane.hpp"
#include "observe/observer_watch.hpp"
#include "observe/run_pace.hpp"
#include "registry/objects/observer.hpp"

namespace sluice::observe {

class Bus {
public:
    // The run waits for the observers in `held`. The destructor delivers queued events, and then stops the threads.
    explicit Bus(std::vector<registry::Observer> observers, ObserverTimeouts timeouts = {},
                 std::vector<registry::Observer> held = {});

    // Delivers only events of these kinds, each the bit 1 << kind. Call it before the first event.
    void limit_to(std::uint64_t kinds) { kinds_ = kinds; }
    // True if any observer asked for this kind. Make copies for an event only then.
    [[nodiscard]] bool wanted(std::uint32_t kind) const;
    // The thread of the run calls these. For events of usage also: [any thread]; those before the start and after the
    // end of the run are ignored, and get the step that the run has reached.
    void emit(const StepEvent& event);
    void emit(Event event);
    // Waits until all emitted events are delivered. Returns false if an observer timed out or `most` passed before.
    bool flush(std::chrono::seconds most = std::chrono::hours(24));
    // Returns why observers failed at SLUICE_EVENT_RUN_END or one timed out, so that their output is incomplete.
    // Empty: it is complete.
    [[nodiscard]] std::string unfinished() const;
    // Steps and time of the run, as its events tell them.
    [[nodiscard]] const RunPace& pace() const { return *pace_; }

private:
    [[nodiscard]] bool delivers(std::uint32_t kind) const { return (kinds_ >> kind & 1) != 0; }

    std::shared_ptr<RunPace> pace_;
    std::vector<Lane> lanes_;  // those that the run waits for come first
    std::uint64_t kinds_ = ~std::uint64_t{0};
};

}  // namespace sluice::observe
