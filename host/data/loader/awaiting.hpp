// How a caller waits for what threads make, and what it tells meanwhile.
#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.hpp"
#include "data/chain/stage_times.hpp"
#include "data/loader/loader.hpp"

namespace sluice::data {

// Until is_there(), under the lock. After each `stall_seconds` (0: never) tell() is told how many seconds it has been.
// Throws Stopped where it is not there and stop(), which may be empty, says so.
template <class IsThere, class Tell>
void await(std::condition_variable& changed, std::unique_lock<std::mutex>& lock, double stall_seconds,
           const std::function<bool()>& stop, const IsThere& is_there, const Tell& tell) {
    constexpr double kBetweenLooks = 0.05;  // seconds, for the wish to stop
    const bool tells = stall_seconds > 0.0;
    const std::chrono::duration<double> pause(tells ? std::min(kBetweenLooks, stall_seconds) : kBetweenLooks);
    const double start = now();
    double told = start;
    while (!changed.wait_for(lock, pause, is_there)) {
        if (stop && stop()) {
            throw Stopped();
        }
        if (const double time = now(); tells && time - told >= stall_seconds) {
            tell(time - start);
            told = time;
        }
    }
}

// "61" or, of few, "0.4".
std::string seconds_text(double seconds);

// Adds "a thread is at 'decode' of sample 17 for 61 s (photos/a.jpg)", where it is at a stage. stages: by the numbers
// of `times`.
void add_place(const StageTimes& times, std::span<const std::string> stages, std::string_view what,
               std::vector<std::string>& places);
// All of them, or that there is none.
std::string places_text(const std::vector<std::string>& places);

}  // namespace sluice::data
