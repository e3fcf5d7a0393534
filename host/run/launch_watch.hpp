// Who is told when launches end: the clock of `host bench`.
#pragma once

#include <cstddef>

namespace sluice::run {

class LaunchWatch {
public:
    virtual ~LaunchWatch() = default;
    // The first launch of forward or backward follows.
    virtual void pass_begins() = 0;
    // The launch of step number `step` of the plan was enqueued; on a CPU it is done.
    virtual void launch_ended(std::size_t step, bool is_backward) = 0;
};

}  // namespace sluice::run
