// How long the run waited for the observers of one thread.
#pragma once

#include <atomic>
#include <chrono>

namespace sluice::observe {

// All functions: [any thread]
class RunWaits {
public:
    struct Figures {
        double flush_seconds = 0.0;  // until all events before a checkpoint were handled
        double room_seconds = 0.0;   // for room in the queue

        [[nodiscard]] double total() const { return flush_seconds + room_seconds; }
    };

    // Calls `wait`, and adds the time that it takes. Returns its result.
    template <typename Wait>
    auto count_flush(const Wait& wait) {
        return count(flush_seconds_, wait);
    }
    template <typename Wait>
    auto count_room(const Wait& wait) {
        return count(room_seconds_, wait);
    }
    [[nodiscard]] Figures figures() const { return {flush_seconds_.load(), room_seconds_.load()}; }

private:
    using Clock = std::chrono::steady_clock;

    template <typename Wait>
    static auto count(std::atomic<double>& seconds, const Wait& wait) {
        const Clock::time_point begin = Clock::now();
        auto result = wait();
        seconds.fetch_add(std::chrono::duration<double>(Clock::now() - begin).count());
        return result;
    }

    std::atomic<double> flush_seconds_{0.0};
    std::atomic<double> room_seconds_{0.0};
};

}  // namespace sluice::observe
