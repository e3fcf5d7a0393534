// Tells of a batch that does not come where its caller makes it and cannot tell. Private to this folder.
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
    // `tell`: told how many seconds it has been by now, after each `seconds`; from a thread of its own.
    StallWatch(double seconds, std::function<void(double)> tell);

    void begin();
    void end() { since_ = 0.0; }

private:
    void watch(const std::stop_token& stop);

    double seconds_;
    std::function<void(double)> tell_;
    std::atomic<double> since_{0.0};  // 0: nothing is made
    std::mutex mutex_;                // of the wait
    std::condition_variable_any end_;
    std::jthread thread_;  // last: it ends first
};

}  // namespace sluice::data
