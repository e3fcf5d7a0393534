// Who is told when launches end: the clock of `host bench`.
#pragma once

#include "plan/plan.hpp"

namespace sluice::run {

class LaunchWatch {
public:
    virtual ~LaunchWatch() = default;
    // The first launch of forward or of backward follows, of which what is computed again is a part.
    virtual void pass_begins() = 0;
    // It was enqueued; on a CPU it is done.
    virtual void launch_ended(const plan::Launch& launch) = 0;
};

}  // namespace sluice::run
