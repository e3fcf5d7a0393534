// How long the run waits for the observers of one thread.
//
// The thread of the run counts its waits. The thread of the observers reads figures() before and after a callback: the
// difference is the time for which the run waited for that callback.
#pragma once

#include <chrono>
#include <mutex>

namespace sluice::observe {

class RunWaits {
public:
    struct Figures {
        double flush_seconds = 0.0;  // until all events before a checkpoint were handled
        double room_seconds = 0.0;   // for room in the queue

        [[nodiscard]] double total() const { return flush_seconds + room_seconds; }
        void add_difference(const Figures& after, const Figures& before) {
            flush_seconds += after.flush_seconds - before.flush_seconds;
            room_seconds += after.room_seconds - before.room_seconds;
        }
    };

    // Calls `wait`, and adds the time that it takes. Returns its result. Only one thread may call these.
    template <typename Wait>
    auto count_flush(const Wait& wait) {
        return count(&Figures::flush_seconds, wait);
    }
    template <typename Wait>
    auto count_room(const Wait& wait) {
        return count(&Figures::room_seconds, wait);
    }
    // Contains a wait that still lasts. [any thread]
    [[nodiscard]] Figures figures() const {
        const std::lock_guard lock(mutex_);
        return figures_now();
    }

private:
    using Clock = std::chrono::steady_clock;
    using Reason = double Figures::*;

    template <typename Wait>
    auto count(Reason reason, const Wait& wait) {
        set_reason(reason);
        auto result = wait();
        set_reason(nullptr);
        return result;
    }

    void set_reason(Reason reason) {
        const std::lock_guard lock(mutex_);
        past_ = figures_now();
        reason_ = reason;
        since_ = Clock::now();
    }

    // Call it with the mutex held.
    [[nodiscard]] Figures figures_now() const {
        Figures figures = past_;
        if (reason_ != nullptr) {
            figures.*reason_ += std::chrono::duration<double>(Clock::now() - since_).count();
        }
        return figures;
    }

    mutable std::mutex mutex_;  // guards the members below
    Figures past_;              // of waits that have ended
    Reason reason_ = nullptr;   // of the wait that lasts; null: the run does not wait
    Clock::time_point since_{};
};

}  // namespace sluice::observe
