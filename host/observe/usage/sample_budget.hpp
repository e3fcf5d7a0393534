// Limits the CPU time that a part of each sample takes, by leaving it out of some samples.
#pragma once

#include <algorithm>

namespace sluice::observe {

class SampleBudget {
public:
    static constexpr double kSeconds = 0.0004;  // of CPU time for each sample, on average
    static constexpr int kMostSkipped = 30;     // samples in a row

    // True if the part is due in this sample; then call spend().
    [[nodiscard]] bool take() {
        if (skipped_ < to_skip_) {
            ++skipped_;
            return false;
        }
        skipped_ = 0;
        return true;
    }
    // The part took so many seconds of CPU time.
    void spend(double seconds) {
        to_skip_ = static_cast<int>(std::clamp(seconds / kSeconds, 0.0, static_cast<double>(kMostSkipped)));
    }

private:
    int to_skip_ = 0;
    int skipped_ = 0;
};

}  // namespace sluice::observe
