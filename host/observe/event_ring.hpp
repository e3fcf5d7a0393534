// Bounded queue of events between the run, which adds them, and the thread that delivers them to observers.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <vector>

#include "observe/event.hpp"

namespace sluice::observe {

class EventRing {
public:
    static constexpr std::size_t kLength = 1024;

    // The memory of a slot is reused.
    struct Slot {
        bool is_step = false;
        StepEvent step;
        Event event;
        double seconds = 0.0;  // since the ring was made
    };
    using Clock = std::chrono::steady_clock;

    // Adds a step event, or drops and counts it if there is no room.
    void add(const StepEvent& event);
    // Moves `event` into the ring. Returns false if there is no room for `most`; `event` is then unchanged.
    bool add(Event& event, Clock::duration most);
    // Lets deliver() hand on the waiting events at once.
    void hurry();
    // Returns false if there are still events after `most`.
    bool wait_until_empty(Clock::duration most);
    // Lets deliver() hand on the waiting events at once, and then return false. Add no event after it.
    void close();
    // Returns false if deliver() does not return false within `most`.
    bool wait_until_finished(Clock::duration most);
    // Step events that did not get room.
    [[nodiscard]] std::uint64_t dropped() const;

    // Waits for events and calls `callback` with each, without a lock. Returns false after close(). Only one thread may
    // call it.
    bool deliver(const std::function<void(const Slot&)>& callback);

private:
    // Call with the mutex held and a free slot.
    Slot& take_slot();

    Clock::time_point began_ = Clock::now();
    mutable std::mutex mutex_;  // guards the members below, but deliver() owns filled slots
    std::condition_variable work_;
    std::condition_variable room_;
    std::vector<Slot> slots_{kLength};
    std::size_t first_ = 0;
    std::size_t filled_ = 0;
    std::uint64_t dropped_ = 0;
    bool is_urgent_ = false;  // an event other than a step is waiting, or hurry() was called
    bool is_closed_ = false;
    bool is_finished_ = false;  // deliver() returned false
};

}  // namespace sluice::observe
