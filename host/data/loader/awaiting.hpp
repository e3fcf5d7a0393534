// Waiting for the work of other threads, with reports of stalls.
#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>

#include "base/clock.hpp"
#include "data/loader/stopped.hpp"

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

}  // namespace sluice::data
