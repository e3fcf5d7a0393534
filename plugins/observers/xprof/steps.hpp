// Steps of a window as XProf shall see them.
#pragma once

#include <cstdint>
#include <vector>

#include "profile/window.hpp"
#include "xprof/xspace.hpp"

namespace sluice::observers {

struct StepTime {
    std::int64_t step;
    std::int64_t begin_ns;
    std::int64_t end_ns;
};

// The steps of the training loop, in order.
std::vector<StepTime> steps_of_loop(const Window& window);

// The steps of a device. If its work outlasts the loop's steps, which only enqueue it, a step is the time from the end
// of one step's work to the end of the next one's.
std::vector<StepTime> steps_of_device(const Window& window, std::uint32_t device);

// Statistics that make an event part of a step.
std::vector<XStat> group_of(std::int64_t step);

// The event that is the step itself.
XEvent step_marker(const StepTime& step);

}  // namespace sluice::observers
