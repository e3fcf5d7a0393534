#include "observe/observer_cost.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace sluice::observe {
namespace {

constexpr double kNoticeable = 0.05;  // share of a step's time, and of the run's time that it waits
// The warm-up and as many steps as give a mean.
constexpr std::int64_t kFewestSteps = 20;
constexpr double kShortestRun = 1.0;  // seconds; what costs less is not worth a line
constexpr double kLeastWait = 0.001;  // share of the run's time, from which on its waits are reported
// If an observer neither computes nor lacks a core for more than this share of its time, it waits for something else.
constexpr double kWaiting = 0.1;
constexpr double kIdleCore = 0.5;  // cores without work, from which on an observer takes none from the training

std::string share_text(double share) {
    return share < 1.0 ? fmt::format("{:.0f} % of a step's time", 100.0 * share)
                       : fmt::format("{:.3g} times a step's time", share);
}

std::string milliseconds_text(double seconds) { return fmt::format("{:.3g} ms", 1e3 * seconds); }

// Returns "3.1 s for it at checkpoints and 0.2 s for room in its queue"; empty if the run hardly waited.
std::string wait_text(const RunWaits::Figures& waits, double run_seconds) {
    std::string text;
    const auto add = [&](double seconds, std::string_view why) {
        if (seconds >= kLeastWait * run_seconds) {
            text += fmt::format("{}{:.2g} s {}", text.empty() ? "" : " and ", seconds, why);
        }
    };
    add(waits.flush_seconds, "for it at checkpoints");
    add(waits.room_seconds, "for room in its queue");
    return text;
}

// Returns which cores the callbacks beside the training took. `costs_nothing`: the run did not wait for them.
CostReport effect(const ObserverCost& cost, const RunPace::Figures& run, int cores, bool costs_nothing) {
    const double used = cost.cpu_seconds / run.seconds;
    const double idle = std::max(0.0, cores - run.cpu_seconds / run.seconds);
    if (cost.cpu_seconds < kWaiting * cost.busy_seconds) {
        if (cost.queue_seconds && cost.cpu_seconds + *cost.queue_seconds < kWaiting * cost.busy_seconds) {
            return {fmt::format("it mostly waits for files or the network{}",
                                costs_nothing ? ", which costs the training nothing" : ""),
                    false};
        }
        return {fmt::format("it uses {:.2g} of {} cores", used, cores), false};
    }
    if (idle >= kIdleCore) {
        return {fmt::format("it uses {:.2g} of {} cores, of which {:.2g} were idle{}", used, cores, idle,
                            costs_nothing ? ", so it costs the training no time, only bandwidth of the memory" : ""),
                false};
    }
    return {fmt::format("it uses {:.2g} of {} cores, which were all busy, so the training loses that time; let it "
                        "handle less, or remove it from observe.use",
                        used, cores),
            true};
}

// Returns what an observer costs that runs beside the training.
CostReport free_effect(const ObserverCost& cost, const RunPace::Figures& run, int cores) {
    const std::string waits = wait_text(cost.waits, run.seconds);
    CostReport report = effect(cost, run, cores, waits.empty());
    report.text = "it runs beside the training: " + report.text;
    if (!waits.empty()) {
        report.text += fmt::format("; the run waited {}, which is {:.2g} % of the run's time", waits,
                                   100.0 * cost.waits.total() / run.seconds);
        report.costs_time = report.costs_time || cost.waits.total() > kNoticeable * run.seconds;
    }
    return report;
}

}  // namespace

std::optional<CostReport> report_cost(const ObserverCost& cost, const RunPace::Figures& run, int cores) {
    if (run.steps < kFewestSteps || run.seconds < kShortestRun || cost.steps == 0) {
        return std::nullopt;
    }
    const double own_seconds = cost.busy_seconds / static_cast<double>(cost.steps);
    const double share = own_seconds / run.step_seconds;
    const bool is_awaited = !cost.holds && cost.waits.total() > kNoticeable * run.seconds;
    if (share <= kNoticeable && !is_awaited) {
        return std::nullopt;
    }
    CostReport report = cost.holds ? CostReport{"the run waits for it, because it has hold = true", true}
                                   : free_effect(cost, run, cores);
    report.text =
        fmt::format("observer '{}' takes {} per step, which is {} ({}); {}", cost.name, milliseconds_text(own_seconds),
                    share_text(share), milliseconds_text(run.step_seconds), report.text);
    return report;
}

}  // namespace sluice::observe
