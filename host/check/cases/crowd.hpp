// Threads that begin at once and go on for a while, so that what they share by mistake is written by one while another
// uses it. They are more than the cores of most machines: where there is one core, they are interrupted.
#pragma once

#include <algorithm>
#include <atomic>
#include <barrier>
#include <chrono>
#include <ctime>
#include <string>
#include <thread>
#include <vector>

#include "check/contract/trial.hpp"

namespace sluice::check {

inline std::size_t crowd_size() { return std::clamp<std::size_t>(std::thread::hardware_concurrency() + 1, 4, 8); }

// In so many of a thread's first turns, samples let other threads run.
constexpr std::size_t kWaitingTurns = 50;

// Counts the turns from `first` on, which do not wait, and those of them in which another thread ended one.
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
    // It is so on a busy machine, on which each thread works alone for long.
    [[nodiscard]] bool are_rarely_mixed() const {
        constexpr std::size_t kMany = 100;
        return mixed_ < std::min<std::size_t>(kMany, plain_ / 4);
    }

private:
    std::size_t first_;
    std::atomic<std::size_t> ended_ = 0;
    std::atomic<std::size_t> plain_ = 0;
    std::atomic<std::size_t> mixed_ = 0;
};

// Sleeps for moments, until `is_done`: the kernel takes a core from another thread each time that it wakes up.
inline void disturb(const std::atomic<bool>& is_done) {
    while (!is_done) {
        std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
}

// make(thread) gives on each thread what it then calls with 0, 1, 2 and so on: at least three times, until all together
// have worked for so many seconds on all cores, or for four times as many if their turns are rarely mixed. On a machine
// that does much else it ends at a limit, at which what is slow was called once. Throws Broken with what any has
// thrown.
// waiting: how many of the first turns wait.
template <class Make>
void run_crowd(std::size_t size, double seconds, std::size_t waiting, const Make& make) {
    constexpr std::size_t kLeast = 3;
    constexpr std::chrono::seconds kMost(5);
    const auto end = std::chrono::steady_clock::now() + kMost;
    const std::clock_t begin = std::clock();
    const auto share = static_cast<std::clock_t>(seconds * CLOCKS_PER_SEC);
    Turns turns(waiting);
    std::vector<std::string> wrong(size);
    std::atomic<bool> is_over = false;  // for one of them
    std::atomic<bool> is_done = false;
    std::barrier start(static_cast<std::ptrdiff_t>(size));
    const auto run = [&](std::size_t thread) {
        bool has_begun = false;
        try {
            auto work = make(thread);
            has_begun = true;
            start.arrive_and_wait();
            const auto has_time = [&](std::size_t turn) {
                const std::clock_t enough = begin + (turns.are_rarely_mixed() ? 4 * share : share);
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
        const std::jthread disturber([&] { disturb(is_done); });
        std::vector<std::jthread> threads;
        for (std::size_t thread = 0; thread < size; ++thread) {
            threads.emplace_back(run, thread);
        }
        threads.clear();
        is_done = true;
    }
    for (const std::string& problem : wrong) {
        expect(problem.empty(), problem);
    }
}

}  // namespace sluice::check
