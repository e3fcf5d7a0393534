#include "profile/step_times.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <set>
#include <string_view>
#include <utility>

#include "profile/stage.hpp"

namespace sluice::profile {
namespace {

std::uint32_t find_loop(const Window& window) {
    const auto loop = std::ranges::find(window.threads, std::uint32_t{SLUICE_THREAD_LOOP}, &WindowThread::kind);
    return loop == window.threads.end() ? kNone : static_cast<std::uint32_t>(loop - window.threads.begin());
}

// Returns the steps that have spans, including Window::eager_step.
std::vector<StepTime> recorded_steps(const Window& window) {
    std::vector<StepTime> steps;
    for (const WindowSpan& span : window.spans) {
        if (span.kind == SLUICE_SPAN_STEP && span.seconds > 0.0) {
            steps.push_back({span.step, span.begin, span.end()});
        }
    }
    std::ranges::sort(steps, {}, &StepTime::begin);
    // Steps do not overlap; a file that says so would count time twice.
    double end = steps.empty() ? 0.0 : steps.front().begin;
    for (StepTime& step : steps) {
        step.begin = std::max(step.begin, end);
        end = std::max(end, step.end);
    }
    std::erase_if(steps, [](const StepTime& step) { return step.end <= step.begin; });
    return steps;
}

std::vector<StepTime> find_steps(const Window& window) {
    std::vector<StepTime> steps = recorded_steps(window);
    const auto is_usual = [&](const StepTime& step) { return step.step != window.eager_step; };
    if (std::ranges::any_of(steps, is_usual)) {
        std::erase_if(steps, std::not_fn(is_usual));
    }
    if (steps.empty() && window.seconds > 0.0) {
        steps.push_back({window.first_step, 0.0, window.seconds});
    }
    return steps;
}

std::size_t place_of(const std::string& stage) {
    for (std::size_t i = 0; i <= kStages; ++i) {
        if (name_of(static_cast<Stage>(i)) == stage) {
            return i;
        }
    }
    return kStages + 1;
}

// Divides the loop's waits for a batch as the step clock does: by what the input threads did meanwhile.
class InputWaits {
public:
    explicit InputWaits(const Window& window) : window_(window) {
        for (std::uint32_t thread = 0; thread < window.threads.size(); ++thread) {
            if (window.threads[thread].kind == SLUICE_THREAD_INPUT) {
                threads_.push_back(
                    pieces_of(window, [&](const WindowSpan& span) { return span.thread == thread && is_input(span); }));
            }
        }
    }
    // Returns the share of transforms.
    [[nodiscard]] double preprocess_share(double begin, double end) const {
        double all = 0.0;
        double preprocess = 0.0;
        for (const std::vector<Piece>& pieces : threads_) {
            visit_parts(pieces, begin, end, [&](const Piece* piece, double from, double until) {
                if (piece != nullptr) {
                    all += until - from;
                    preprocess += window_.spans[piece->span].kind == SLUICE_SPAN_PREPROCESS ? until - from : 0.0;
                }
            });
        }
        return all > 0.0 ? preprocess / all : 0.0;
    }

private:
    const Window& window_;
    std::vector<std::vector<Piece>> threads_;
};

// Calls `visit(begin, end)` for the parts of a span in which the device is idle or not timed.
template <class Visit>
void visit_idle_device(const Window& window, double begin, double end, const Visit& visit) {
    auto busy = std::ranges::upper_bound(window.on_device, begin, {}, &WindowDeviceStages::end);
    for (; begin < end && busy != window.on_device.end() && busy->begin < end; ++busy) {
        if (busy->begin > begin) {
            visit(begin, busy->begin);
        }
        begin = busy->end;
    }
    if (begin < end) {
        visit(begin, end);
    }
}

// Stages in which time passed, in the order of a step.
class StageSums {
public:
    explicit StageSums(double steps) : steps_(steps) {}

    void add(const std::string& name, double seconds) {
        if (seconds > 0.0) {
            StageTime& stage = named(name);
            stage.count += 1.0 / steps_;
            stage.seconds += seconds / steps_;
        }
    }
    // Adds time on a device to a stage that the loop was not in.
    void lengthen(const std::string& name, double seconds) {
        if (seconds > 0.0) {
            StageTime& stage = named(name);
            stage.seconds += seconds / steps_;
            stage.has_device_clock = true;
        }
    }
    [[nodiscard]] std::vector<StageTime> take() {
        std::ranges::stable_sort(stages_, {}, [](const StageTime& stage) { return place_of(stage.name); });
        return std::move(stages_);
    }

private:
    StageTime& named(const std::string& name) {
        auto stage = std::ranges::find(stages_, name, &StageTime::name);
        if (stage == stages_.end()) {
            stages_.push_back({.name = name});
            stage = std::prev(stages_.end());
        }
        return *stage;
    }

    double steps_;
    std::vector<StageTime> stages_;
};

// Returns the stage of the loop while the device is idle or has no clock. A wait for an idle device is one for its
// result.
std::string stage_of(const Window& window, const WindowSpan& span) {
    const std::string& name = name_of(window, span);
    const bool waits_for_result = name == name_of(Stage::device) && !window.on_device.empty();
    return waits_for_result ? std::string(name_of(Stage::download)) : name;
}

void add_device_stages(const Window& window, const StepTimes& times, StageSums& sums) {
    for (const WindowDeviceStages& busy : window.on_device) {
        double seconds = 0.0;
        visit_in_steps(times, busy.begin, busy.end, [&](double begin, double end) { seconds += end - begin; });
        for (std::size_t i = 0; i < kStages; ++i) {
            const auto stage = static_cast<Stage>(i);
            sums.lengthen(std::string(name_of(stage)),
                          seconds * busy.seconds[stage] / std::max(busy.seconds.total(), kTick));
        }
    }
}

// Divides the loop's time as the step clock does: while a device is busy, its stages count.
std::vector<StageTime> find_stages(const Window& window, const StepTimes& times) {
    StageSums sums(static_cast<double>(times.steps.size()));
    const InputWaits waits(window);
    for (const WindowSpan& span : window.spans) {
        if (span.kind != SLUICE_SPAN_STAGE || span.thread != times.loop) {
            continue;
        }
        const std::string& name = name_of(window, span);
        double seconds = 0.0;
        visit_in_steps(times, span.begin, span.end(), [&](double begin, double end) {
            visit_idle_device(window, begin, end, [&](double from, double until) { seconds += until - from; });
        });
        const double preprocess =
            name == name_of(Stage::read) ? seconds * waits.preprocess_share(span.begin, span.end()) : 0.0;
        sums.add(stage_of(window, span), seconds - preprocess);
        sums.add(std::string(name_of(Stage::preprocess)), preprocess);
    }
    add_device_stages(window, times, sums);
    return sums.take();
}

TimeBetween find_between(const Window& window, std::uint32_t loop) {
    TimeBetween between;
    StepTimes all;
    all.steps = recorded_steps(window);
    if (all.steps.empty()) {
        return between;  // the whole window counts as a step
    }
    double in_steps = 0.0;
    for (const StepTime& step : all.steps) {
        in_steps += step.end - step.begin;
    }
    StageSums sums(1.0);
    double recorded = 0.0;
    const std::vector<Piece> pieces = pieces_of(
        window, [&](const WindowSpan& span) { return span.thread == loop && span.kind == SLUICE_SPAN_STAGE; });
    for (const Piece& piece : pieces) {
        double seconds = piece.end - piece.begin;
        visit_in_steps(all, piece.begin, piece.end, [&](double begin, double end) { seconds -= end - begin; });
        if (seconds > kTick) {
            sums.add(stage_of(window, window.spans[piece.span]), seconds);
            recorded += seconds;
        }
    }
    between.seconds = std::max(recorded, window.seconds - in_steps);
    constexpr double kLeast = 0.01;  // of the time between steps; less is rounding
    if (const double rest = between.seconds - recorded; rest > kLeast * between.seconds) {
        sums.add("not recorded", rest);
    }
    between.stages = sums.take();
    std::ranges::stable_sort(between.stages, std::ranges::greater{}, &StageTime::seconds);
    return between;
}

// Returns the name of the work that a span is, if it runs beside the loop; else an empty text.
std::string_view work_beside(const Window& window, const WindowSpan& span) {
    const WindowThread& thread = window.threads[span.thread];
    if (thread.kind == SLUICE_THREAD_STREAM) {
        return "device";
    }
    switch (span.kind) {
        case SLUICE_SPAN_READ:
            return "input, reading";
        case SLUICE_SPAN_PREPROCESS:
            return "input, transforms";
        case SLUICE_SPAN_OBSERVER:
            return "observers";
        case SLUICE_SPAN_STORAGE:
            return "storage";
        case SLUICE_SPAN_EXCHANGE:
            return "exchange";
        case SLUICE_SPAN_UPLOAD:
        case SLUICE_SPAN_DOWNLOAD:
            return "copies";
        case SLUICE_SPAN_FORWARD:
        case SLUICE_SPAN_RECOMPUTE:
        case SLUICE_SPAN_BACKWARD:
        case SLUICE_SPAN_OPTIMIZER:
        case SLUICE_SPAN_KERNEL:
            return "replicas";
        default:
            return "";
    }
}

// Sums the loop's own work while its device is busy.
WorkBeside find_loop_beside(const Window& window, const StepTimes& times) {
    WorkBeside loop{.name = "training loop", .threads = 1};
    for (const WindowSpan& span : window.spans) {
        const bool is_wait = name_of(window, span) == name_of(Stage::device);
        if (span.kind == SLUICE_SPAN_STAGE && span.thread == times.loop && !is_wait) {
            visit_in_steps(times, span.begin, span.end(), [&](double begin, double end) {
                loop.seconds += end - begin;
                visit_idle_device(window, begin, end, [&](double from, double until) { loop.seconds -= until - from; });
            });
        }
    }
    loop.seconds /= static_cast<double>(times.steps.size());
    return loop;
}

std::vector<WorkBeside> find_work_beside(const Window& window, const StepTimes& times) {
    std::vector<WorkBeside> beside;
    if (!window.on_device.empty()) {
        beside.push_back(find_loop_beside(window, times));
    }
    std::set<std::pair<std::string_view, std::uint32_t>> seen;
    const std::vector<Piece> none;
    for (std::uint32_t thread = 0; thread < window.threads.size(); ++thread) {
        if (thread == times.loop) {
            continue;
        }
        const std::vector<Piece> pieces = pieces_of(window, [&](const WindowSpan& span) {
            return span.thread == thread && !work_beside(window, span).empty();
        });
        for (const Piece& piece : pieces) {
            const std::string_view name = work_beside(window, window.spans[piece.span]);
            auto work = std::ranges::find(beside, name, &WorkBeside::name);
            if (work == beside.end()) {
                beside.push_back({.name = std::string(name)});
                work = std::prev(beside.end());
            }
            work->threads += seen.insert({name, thread}).second ? 1 : 0;
            visit_in_steps(times, piece.begin, piece.end, [&](double begin, double end) {
                work->seconds += (end - begin) / static_cast<double>(times.steps.size());
            });
        }
    }
    return beside;
}

}  // namespace

const std::string& name_of(const Window& window, const WindowSpan& span) {
    static const std::string none;
    return span.name < window.names.size() ? window.names[span.name] : none;
}

StepTimes step_times(const Window& window) {
    StepTimes times;
    times.loop = find_loop(window);
    times.steps = find_steps(window);
    for (const StepTime& step : times.steps) {
        times.seconds += step.end - step.begin;
    }
    if (!times.steps.empty()) {
        times.stages = find_stages(window, times);
        times.beside = find_work_beside(window, times);
        times.between = find_between(window, times.loop);
    }
    return times;
}

StageTime longest_wait(const StepTimes& times) {
    StageTime longest;
    for (const StageTime& stage : times.stages) {
        const bool is_arithmetic = stage.name == "forward" || stage.name == "backward" || stage.name == "optimizer" ||
                                   stage.name == "device" || stage.name == "other";
        if (!is_arithmetic && stage.seconds > longest.seconds) {
            longest = stage;
        }
    }
    return longest;
}

}  // namespace sluice::profile
