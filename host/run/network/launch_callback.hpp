// Callback at kernel launches, for the timings of `host bench`.
#pragma once

#include "plan/plan.hpp"

namespace sluice::run {

class LaunchCallback {
public:
    virtual ~LaunchCallback() = default;
    // Called before the first launch of forward or of backward. Recomputation is part of backward.
    virtual void pass_begins() = 0;
    // Called after a launch was enqueued. On a CPU the launch is then done.
    virtual void launch_ended(const plan::Launch& launch) = 0;
};

}  // namespace sluice::run
