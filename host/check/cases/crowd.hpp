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

#include "check/trial.hpp"

namespace sluice::check {

inline std::size_t crowd_size() { return std::clamp<std::size_t>(std::thread::hardware_concurrency() + 1, 4, 8); }

// Of the turns below, those in which samples wait for each other.
constexpr std::size_t kWaitingTurns = 50;

// Sleeps for moments, until `is_done`: the kernel takes a core from another thread each time that it wakes up.
inline void disturb(const std::atomic<bool>& is_done) {
    while (!is_done) {
        std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
}

// make(thread) gives on each thread what it then calls with 0, 1, 2 and so on: at least three times, until all together
// have worked for so many seconds on all cores; on a machine that does much else that takes longer, to a limit, at
// which what is slow was called once. Throws Broken with what any of them has thrown.
template <class Make>
void run_crowd(std::size_t size, double seconds, const Make& make) {
    constexpr std::size_t kLeast = 3;
    constexpr std::chrono::seconds kMost(5);
    const auto end = std::chrono::steady_clock::now() + kMost;
    const std::clock_t enough = std::clock() + static_cast<std::clock_t>(seconds * CLOCKS_PER_SEC);
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
                return std::chrono::steady_clock::now() < end && (turn < kLeast || std::clock() < enough);
            };
            for (std::size_t turn = 0; !is_over && (turn == 0 || has_time(turn)); ++turn) {
                work(turn);
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
