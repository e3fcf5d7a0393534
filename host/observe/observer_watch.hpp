// Detects an observer that does not return from an event, and abandons it if the run waits for it. Also keeps why the
// output of observers is incomplete.
#pragma once

#include <chrono>
#include <functional>
#include <mutex>
#include <string>

#include "registry/loading/component.hpp"

namespace sluice::observe {

// Timeouts of one event in an observer: until a warning, and until the run no longer waits for it.
struct ObserverTimeouts {
    std::chrono::milliseconds warn = std::chrono::seconds(10);
    std::chrono::milliseconds give_up = std::chrono::seconds(60);
};

class ObserverWatch {
public:
    using Clock = std::chrono::steady_clock;

    // `holds`: the run waits for each event.
    explicit ObserverWatch(ObserverTimeouts timeouts, bool holds = false) : timeouts_(timeouts), holds_(holds) {}

    // The thread of the observers calls these before and after each callback. `observer` must outlive the callback.
    void enter(const registry::Component& observer);
    // Never returns if the observer was abandoned, because the data that observers use may be destroyed.
    void leave();
    // Keeps why an observer failed at the run's end.
    void add_unfinished(const std::string& reason);

    // Logs a callback that takes too long. Returns false if an observer was abandoned.
    bool check();
    // Repeats `wait`, which waits no longer than its argument, until it returns true. Returns false if an observer was
    // abandoned before.
    bool wait_for(const std::function<bool(Clock::duration most)>& wait);
    // Empty: the output is complete so far.
    [[nodiscard]] std::string unfinished() const;

private:
    // Call with the mutex held. `waits`: the caller waits for the callback, so that its timeout applies.
    void check_callback(bool waits);
    [[nodiscard]] bool is_abandoned() const;

    ObserverTimeouts timeouts_;
    bool holds_;
    mutable std::mutex mutex_;                     // guards the members below
    const registry::Component* called_ = nullptr;  // the observer whose callback runs; null: none
    Clock::time_point since_{};                    // start of that callback
    Clock::time_point warned_{};                   // start of the callback that was last warned about
    bool is_abandoned_ = false;                    // an observer did not return in time; nothing waits for it any more
    std::string unfinished_;
};

}  // namespace sluice::observe
