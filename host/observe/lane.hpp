// One thread on which observers are called, and the queue of their events.
//
// The run waits for no observer of a lane, or for all of them. If it does not wait, steps, usage and profiles are
// dropped and counted when the queue is full. If it waits, an event is handled when emit() returns. The run also waits
// for a free lane at a flush, and for room for events that no queue may drop; the report of slow observers has that
// time.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "observe/event.hpp"
#include "observe/observer_watch.hpp"
#include "observe/run_pace.hpp"
#include "registry/objects/observer.hpp"

namespace sluice::observe {

class Lane {
public:
    using Clock = std::chrono::steady_clock;

    // `holds`: the run waits for these observers.
    Lane(std::vector<registry::Observer> observers, bool holds, ObserverTimeouts timeouts,
         std::shared_ptr<const RunPace> pace);
    // Delivers queued events, stops the thread and logs what was dropped and which observers were slow. If an observer
    // blocks the thread, it and its data stay allocated.
    ~Lane();
    Lane(Lane&& other) noexcept;
    Lane& operator=(Lane&& other) noexcept = delete;

    [[nodiscard]] bool wanted(std::uint32_t kind) const;
    void emit(const StepEvent& event);
    void emit(Event event);
    // The thread of the run calls it. Returns false if events are left at `end`, or if an observer timed out.
    bool flush(Clock::time_point end);
    // Empty: the output of the observers is complete so far.
    [[nodiscard]] std::string unfinished() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace sluice::observe
