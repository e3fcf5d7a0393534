// Threads that start together and run for a while, so that one thread writes data that another uses by mistake. With up
// to seven cores there are more threads than cores, so that Linux interrupts them.
#pragma once

#include <algorithm>
#include <atomic>
#include <barrier>
#include <chrono>
#include <ctime>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "check/contract/thread_group.hpp"
#include "check/contract/trial.hpp"

namespace sluice::check {

inline std::size_t thread_group_size() {
    return std::clamp<std::size_t>(std::thread::hardware_concurrency() + 1, 4, 8);
}

// Number of a thread's first turns in which sample buffers yield to other threads (see YieldingBuffer).
constexpr std::size_t kYieldingTurns = 50;

// Counts the turns from `first` on, which do not yield, and how many of them overlap the end of another thread's turn.
class Turns {
public:
    explicit Turns(std::size_t first) : first_(first) {}

    template <class Work>
    void run(std::size_t turn, Work& work) {
        const std::size_t before = ended_;
        work(turn);
        const bool is_mixed = ended_++ != before;
        if (turn >= first_) {
            ++plain_;
            mixed_ += is_mixed ? 1 : 0;
        }
    }
    // True on a busy machine, on which each thread works alone for a long time.
    [[nodiscard]] bool rarely_overlap() const {
        constexpr std::size_t kMany = 100;
        return mixed_ < std::min<std::size_t>(kMany, plain_ / 4);
    }

private:
    std::size_t first_;
    std::atomic<std::size_t> ended_ = 0;
    std::atomic<std::size_t> plain_ = 0;
    std::atomic<std::size_t> mixed_ = 0;
};

// Sleeps briefly again and again until a stop is requested. Each time it wakes up, Linux takes a core from another
// thread.
inline void disturb(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
        std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
}

// Each thread calls make(thread), then calls the returned function with 0, 1, 2 and so on, at least three times.
// Threads stop when all together have used `seconds` of CPU time, or four times as much if their turns rarely overlap.
// On a busy machine they stop after 5 s of wall time, with at least one call each. Throws Broken with the message of
// any exception, and std::system_error if a thread cannot be started. `waiting` is the number of first turns that
// yield.
template <class Make>
void run_concurrently(std::size_t size, double seconds, std::size_t waiting, const Make& make) {
    constexpr std::size_t kLeast = 3;
    constexpr std::chrono::seconds kMost(5);
    const auto end = std::chrono::steady_clock::now() + kMost;
    const std::clock_t begin = std::clock();
    const auto share = static_cast<std::clock_t>(seconds * CLOCKS_PER_SEC);
    Turns turns(waiting);
    std::vector<std::string> wrong(size);
    std::atomic<bool> is_over = false;  // a thread has failed
    std::barrier start(static_cast<std::ptrdiff_t>(size));
    const auto run = [&](std::size_t thread) {
        bool has_begun = false;
        try {
            auto work = make(thread);
            has_begun = true;
            start.arrive_and_wait();
            const auto has_time = [&](std::size_t turn) {
                const std::clock_t enough = begin + (turns.rarely_overlap() ? 4 * share : share);
                return std::chrono::steady_clock::now() < end && (turn < kLeast || std::clock() < enough);
            };
            for (std::size_t turn = 0; !is_over && (turn == 0 || has_time(turn)); ++turn) {
                turns.run(turn, work);
            }
        } catch (const std::exception& error) {
            wrong[thread] = error.what();
            is_over = true;
            if (!has_begun) {
                start.arrive_and_drop();
            }
        }
    };
    {
        const std::jthread disturber(disturb);
        run_on_threads(size, run);
    }
    for (const std::string& problem : wrong) {
        expect(problem.empty(), problem);
    }
}

}  // namespace sluice::check
