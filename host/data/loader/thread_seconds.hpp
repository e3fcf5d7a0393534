// A number of threads, summed over time: two of them for three seconds are six.
#pragma once

#include <cstdint>

#include "base/clock.hpp"

namespace sluice::data {

class ThreadSeconds {
public:
    // Sets the number of threads from now on.
    void set(std::int64_t threads) {
        const double time = now();
        sum_ += static_cast<double>(threads_) * (time - since_);
        since_ = time;
        threads_ = threads;
    }
    void add(std::int64_t threads) { set(threads_ + threads); }
    [[nodiscard]] std::int64_t threads() const { return threads_; }
    [[nodiscard]] double sum() const { return sum_ + static_cast<double>(threads_) * (now() - since_); }

private:
    std::int64_t threads_ = 0;
    double since_ = now();
    double sum_ = 0.0;
};

}  // namespace sluice::data
