// Steps of a window as XProf shall see them.
#include "xprof/steps.hpp"

#include <algorithm>
#include <map>
#include <string>

namespace sluice::observers {

std::vector<StepTime> steps_of_loop(const Window& window) {
    std::vector<StepTime> steps;
    for (const sluice_span& span : window.spans()) {
        if (span.kind == SLUICE_SPAN_STEP && window.is_on_loop(span)) {
            steps.push_back({span.step, span.begin_ns, end_of(span)});
        }
    }
    return steps;
}

std::vector<StepTime> steps_of_device(const Window& window, std::uint32_t device) {
    std::map<std::int64_t, std::int64_t> ends;  // of the device's work by step
    for (const sluice_span& span : window.spans()) {
        if (window.is_on_stream(span) && window.thread_of(span).device == device && span.step != 0) {
            const auto place = ends.emplace(span.step, end_of(span)).first;
            place->second = std::max(place->second, end_of(span));
        }
    }
    std::vector<StepTime> steps = steps_of_loop(window);
    const bool outlasts = std::any_of(steps.begin(), steps.end(), [&](const StepTime& step) {
        const auto end = ends.find(step.step);
        return end != ends.end() && end->second > step.end_ns;
    });
    if (!outlasts) {
        return steps;
    }
    std::int64_t end = 0;
    for (StepTime& step : steps) {
        const auto last = ends.find(step.step);
        const std::int64_t next = last == ends.end() ? step.end_ns : last->second;
        step.begin_ns = end == 0 ? step.begin_ns : end;
        step.end_ns = std::max(step.begin_ns, next);
        end = step.end_ns;
    }
    return steps;
}

std::vector<XStat> group_of(std::int64_t step) {
    if (step == 0) {
        return {};
    }
    return {{"group_id", step}};
}

XEvent step_marker(const StepTime& step) {
    return {"train",
            step.begin_ns,
            step.end_ns - step.begin_ns,
            {{"group_id", step.step}, {"step_num", step.step}, {"step_name", std::to_string(step.step)}}};
}

}  // namespace sluice::observers
