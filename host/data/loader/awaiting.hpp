// Waiting for the work of other threads, with reports of stalls.
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

// Waits until is_there(), which is called under the lock. After each `stall_seconds` (0: never) calls report() with the
// seconds waited so far. Throws Stopped if stop() returns true first; stop may be empty.
template <class IsThere, class Report>
void await(std::condition_variable& changed, std::unique_lock<std::mutex>& lock, double stall_seconds,
           const std::function<bool()>& stop, const IsThere& is_there, const Report& report) {
    constexpr double kBetweenLooks = 0.05;  // seconds between two calls of stop()
    const bool reports = stall_seconds > 0.0;
    const std::chrono::duration<double> pause(reports ? std::min(kBetweenLooks, stall_seconds) : kBetweenLooks);
    const double start = now();
    double reported_at = start;
    while (!changed.wait_for(lock, pause, is_there)) {
        if (stop && stop()) {
            throw Stopped();
        }
        if (const double time = now(); reports && time - reported_at >= stall_seconds) {
            report(time - start);
            reported_at = time;
        }
    }
}

// "61", or "0.4" below 10 seconds.
std::string seconds_text(double seconds);

// Adds "a thread is at 'decode' of sample 17 for 61 s (photos/a.jpg)" if the thread is in a stage. `stages`: the names
// of the stages of `times`; `what`: "sample" or "batch".
void add_place(const StageTimes& times, std::span<const std::string> stages, std::string_view what,
               std::vector<std::string>& places);
// Joins `places`, or says that there is none.
std::string places_text(const std::vector<std::string>& places);

}  // namespace sluice::data
