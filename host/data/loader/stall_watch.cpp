#include "data/loader/stall_watch.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/clock.hpp"

namespace sluice::data {

StallWatch::StallWatch(double seconds, std::function<void(double)> report)
    : seconds_(seconds), report_(std::move(report)), thread_([this](const std::stop_token& stop) { watch(stop); }) {}

void StallWatch::begin() { since_ = now(); }

// The thread polls, so that begin() and end() cost the caller next to nothing.
void StallWatch::watch(const std::stop_token& stop) {
    constexpr double kLooks = 4.0;  // polls per `seconds_`
    double reported_at = 0.0;
    std::unique_lock lock(mutex_);
    while (!stop.stop_requested()) {
        end_.wait_for(lock, stop, std::chrono::duration<double>(seconds_ / kLooks), [] { return false; });
        const double since = since_;
        const double time = now();
        if (since > 0.0 && !stop.stop_requested() && time - std::max(since, reported_at) >= seconds_) {
            report_(time - since);
            reported_at = time;
        }
    }
}

}  // namespace sluice::data
