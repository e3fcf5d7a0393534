// Threads that begin at once and go on for a while, so that what they share by mistake is written by one while another
// uses it. They are more than the cores of most machines: where there is one core, they are interrupted.
#pragma once

#include <algorithm>
#include <atomic>
#include <barrier>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "check/trial.hpp"

namespace sluice::check {

inline std::size_t crowd_size() { return std::clamp<std::size_t>(std::thread::hardware_concurrency() + 1, 4, 8); }

// Of the turns below, those in which samples wait for each other.
constexpr std::size_t kWaitingTurns = 50;

// make(thread) gives on each thread what it then calls with 0, 1, 2 and so on: at least three times, until `time` is
// over. Throws Broken with what any of them has thrown.
template <class Make>
void run_crowd(std::size_t size, std::chrono::duration<double> time, const Make& make) {
    constexpr std::size_t kLeast = 3;
    std::vector<std::string> wrong(size);
    std::atomic<bool> is_over = false;
    std::barrier start(static_cast<std::ptrdiff_t>(size));
    const auto run = [&](std::size_t thread) {
        bool has_begun = false;
        try {
            auto work = make(thread);
            has_begun = true;
            start.arrive_and_wait();
            const auto end = std::chrono::steady_clock::now() + time;
            for (std::size_t turn = 0; !is_over && (turn < kLeast || std::chrono::steady_clock::now() < end); ++turn) {
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
        std::vector<std::jthread> threads;
        for (std::size_t thread = 0; thread < size; ++thread) {
            threads.emplace_back(run, thread);
        }
    }
    for (const std::string& problem : wrong) {
        expect(problem.empty(), problem);
    }
}

}  // namespace sluice::check
