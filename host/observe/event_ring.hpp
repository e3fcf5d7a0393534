// Bounded queue of events between the run, which adds them, and the thread that delivers them to observers.
#pragma once

#include <array>
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
    static constexpr std::size_t kKinds = SLUICE_EVENT_PROFILE + 1;

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
    // Same for an event of another kind, for which deliver() need not hurry.
    void add_or_drop(Event event);
    // Waits for room for a step event. Returns false if there is none for `most`. deliver() hands it on at once.
    bool add(const StepEvent& event, Clock::duration most);
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
    // Events of that kind that did not get room.
    [[nodiscard]] std::uint64_t dropped(std::uint32_t kind) const;

    // Waits for events and calls `callback` with each, without a lock. Returns false after close(). Only one thread may
    // call it.
    bool deliver(const std::function<void(const Slot&)>& callback);

private:
    // Call these with the mutex held. The first returns null, and counts the event as dropped, if no slot is free; the
    // second needs a free slot.
    Slot* take_slot_or_drop(std::uint32_t kind);
    Slot& take_slot();
    // True if deliver() must be woken for the event that was just added: it is the first, or half of the ring is full.
    [[nodiscard]] bool wakes() const { return filled_ == 1 || filled_ == kLength / 2 + 1; }

    Clock::time_point began_ = Clock::now();
    mutable std::mutex mutex_;  // guards the members below, but deliver() owns filled slots
    std::condition_variable work_;
    std::condition_variable room_;
    std::vector<Slot> slots_{kLength};
    std::size_t first_ = 0;
    std::size_t filled_ = 0;
    std::array<std::uint64_t, kKinds> dropped_{};  // by kind
    bool is_urgent_ = false;                       // an event that no ring may drop is waiting, or hurry() was called
    bool is_closed_ = false;
    bool is_finished_ = false;  // deliver() returned false
};

}  // namespace sluice::observe
