// The steps of a window, and what the training loop's thread did in them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "profile/pieces.hpp"
#include "profile/window.hpp"

namespace sluice::profile {

struct StepTime {
    std::int64_t step = 0;
    double begin = 0.0;
    double end = 0.0;
};

// Seconds that threads of one kind were busy in a step, while the loop went on.
struct WorkBeside {
    std::string name;  // "input", "observers", ...
    std::size_t threads = 0;
    double seconds = 0.0;  // of a step, of all threads together
};

struct StageTime {
    std::string name;
    double count = 0.0;             // per step
    double seconds = 0.0;           // per step
    bool has_device_clock = false;  // a part was measured by the device's own clock, and is not in `count`
};

// The loop's time in a window outside of all steps, such as that of checkpoints, evaluations and ends of epochs.
struct TimeBetween {
    double seconds = 0.0;           // in the whole window
    std::vector<StageTime> stages;  // in the whole window, longest first
};

struct StepTimes {
    std::uint32_t loop = kNone;  // thread of the training loop; kNone: the window has none
    std::vector<StepTime> steps;
    double seconds = 0.0;           // of all steps
    std::vector<StageTime> stages;  // in the order of a step
    std::vector<WorkBeside> beside;
    TimeBetween between;

    [[nodiscard]] double seconds_of_step() const {
        return steps.empty() ? 0.0 : seconds / static_cast<double>(steps.size());
    }
};

// A window without spans of steps counts as one step, from its begin to its end. Window::eager_step is left out if
// there are other steps.
StepTimes step_times(const Window& window);

// The stage in which a step waits longest, other than for its own arithmetic; an empty name: it waits nowhere.
StageTime longest_wait(const StepTimes& times);

// Name of a span, or an empty text.
const std::string& name_of(const Window& window, const WindowSpan& span);

// Calls `visit(begin, end)` for the parts of a span that lie within steps.
template <class Visit>
void visit_in_steps(const StepTimes& times, double begin, double end, const Visit& visit) {
    auto step = std::ranges::upper_bound(times.steps, begin, {}, &StepTime::end);
    for (; begin < end && step != times.steps.end() && step->begin < end; ++step) {
        visit(std::max(begin, step->begin), std::min(end, step->end));
    }
}

}  // namespace sluice::profile
