// Reports a stalled batch from a thread of its own, if the caller makes the batch and cannot report itself. Private to
// this folder.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>

namespace sluice::data {

class StallWatch {
public:
    // Calls `report` after each `seconds` between begin() and end(), with the seconds since begin(). The call comes
    // from the object's own thread.
    StallWatch(double seconds, std::function<void(double)> report);

    void begin();
    void end() { since_ = 0.0; }

private:
    void watch(const std::stop_token& stop);

    double seconds_;
    std::function<void(double)> report_;
    std::atomic<double> since_{0.0};  // time of begin(); 0: not between begin() and end()
    std::mutex mutex_;                // only for waiting on end_
    std::condition_variable_any end_;
    std::jthread thread_;  // last member: joined before the others are destroyed
};

}  // namespace sluice::data
