// Records the launches of a plan, while a window is open. A launch lasts from the end of the one before it, or from the
// beginning of the pass, to its own end: the work between is a few nanoseconds of the executor.
#pragma once

#include <cstddef>
#include <vector>

#include "plan/plan.hpp"
#include "profile/recorder.hpp"

namespace sluice::run {

class LaunchSpans {
public:
    // `is_synchronous`: a launch is done when it returns. Otherwise nothing is recorded here, since the host does not
    // see when the device works.
    LaunchSpans(const plan::Plan& plan, bool is_synchronous);

    // Call it before the first launch of forward or backward. Returns true if its launches are to be recorded.
    [[nodiscard]] bool begin_pass();
    // Call these after each launch: forward of step `step`, or the launch of this number in the plan.
    void forward_ended(std::size_t step) { ended(forward_launches_[step]); }
    void ended(std::size_t launch);

    [[nodiscard]] const profile::Operations& operations() const { return operations_; }

private:
    profile::Operations operations_;             // null: nothing is recorded
    std::vector<std::size_t> forward_launches_;  // number of each step's forward in the plan
    double last_ = 0.0;                          // end of the last launch, as now()
};

}  // namespace sluice::run
