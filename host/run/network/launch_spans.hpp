// Records the launches of a plan, while a window is open. A launch lasts from the end of the one before it, or from the
// beginning of the pass, to its own end: the work between is a few nanoseconds of the executor. On a device whose work
// is asynchronous, it includes the time for which the device waits until the host has enqueued it.
#pragma once

#include <cstddef>
#include <vector>

#include "plan/plan.hpp"
#include "profile/operation.hpp"
#include "run/network/stream_spans.hpp"

namespace sluice::run {

class LaunchSpans {
public:
    // `spans` must outlive this object; null: nothing is recorded.
    LaunchSpans(const plan::Plan& plan, StreamSpans* spans);

    // Call it before the first launch of forward or backward. Returns true if its launches are to be recorded.
    [[nodiscard]] bool begin_pass() { return spans_ != nullptr && spans_->begin(operations_); }
    // Call these after each launch: forward of step `step`, or the launch of this number in the plan.
    void forward_ended(std::size_t step) { ended(forward_launches_[step]); }
    void ended(std::size_t launch) { spans_->end((*operations_)[launch]); }

    [[nodiscard]] const profile::Operations& operations() const { return operations_; }

private:
    StreamSpans* spans_;
    profile::Operations operations_;             // null: nothing is recorded
    std::vector<std::size_t> forward_launches_;  // number of each step's forward in the plan
};

}  // namespace sluice::run
