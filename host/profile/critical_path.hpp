// The longest chain of waits and work that leads to the end of the steps of a window.
//
// It is followed backwards from the end of the last step. On the loop's thread it follows the loop. Where the loop
// waits for a batch, it goes to the input thread whose span ended last before the wait did. Where the loop waits for a
// device, it goes to the stream whose kernel ended last; from a kernel it goes to the kernel before, or to the loop if
// that enqueued the kernel only after the kernel before had ended. An exchange stays on the loop, because other
// processes have windows of their own. The path has no gaps: its seconds are those of the steps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "profile/step_times.hpp"
#include "profile/window.hpp"

namespace sluice::profile {

struct PathSegment {
    std::uint32_t thread = kNone;  // index in Window::threads; kNone: no thread recorded anything
    std::string cause;             // "input", "compute", "launch", "copy", "exchange", "output", "storage" or "other"
    std::string what;              // "backward residual/2/conv2d"
    double begin = 0.0;
    double seconds = 0.0;
};

struct PathShare {
    std::string cause;
    std::string what;  // empty in sums by cause
    std::uint32_t thread = kNone;
    double seconds = 0.0;  // of the whole path
};

struct CriticalPath {
    std::vector<PathSegment> segments;  // by time
    double seconds = 0.0;
    std::vector<PathShare> causes;  // longest first
    std::vector<PathShare> parts;   // by thread, cause and name; longest first
};

CriticalPath critical_path(const Window& window, const StepTimes& times);

}  // namespace sluice::profile
