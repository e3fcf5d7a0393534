// The time of those who take batches: their steps, without what they do between them.
#pragma once

#include "base/clock.hpp"

namespace sluice::data {

class CallerClock {
public:
    // From here to the next batch is none of the caller's steps.
    void pause() { is_paused_ = true; }
    // A batch was handed out, for which the caller waited so many seconds.
    void hand_out(double waited);

    // Since the clock was made, up to the batch that was handed out last; without pauses.
    [[nodiscard]] double seconds() const { return seconds_; }
    // Of them, for batches.
    [[nodiscard]] double waited() const { return waited_; }

private:
    double last_ = now();
    bool is_paused_ = true;  // before the first batch
    double seconds_ = 0.0;
    double waited_ = 0.0;
};

}  // namespace sluice::data
