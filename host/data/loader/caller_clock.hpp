// Measures the time of the caller's steps, without pauses such as evaluations.
#pragma once

#include "base/clock.hpp"

namespace sluice::data {

class CallerClock {
public:
    // The time until the next batch does not count.
    void pause() { is_paused_ = true; }
    // A batch was handed out. `waited`: seconds that the caller waited for it.
    void hand_out(double waited);

    // Seconds from construction to the last batch handed out, without pauses.
    [[nodiscard]] double seconds() const { return seconds_; }
    // The part of seconds() that the caller waited for batches.
    [[nodiscard]] double waited() const { return waited_; }

private:
    double last_ = now();
    bool is_paused_ = true;  // the time before the first batch does not count
    double seconds_ = 0.0;
    double waited_ = 0.0;
};

}  // namespace sluice::data
