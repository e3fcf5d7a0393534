#include "observe/observer_cost.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sluice::observe {
namespace {

constexpr double kNoticeable = 0.05;  // share of the run's time
// The first steps of a run are slow, and files are opened in them.
constexpr std::int64_t kFewestSteps = 200;
constexpr double kShortestRun = 1.0;  // seconds
// An observer that computes for less than this share of its time waits for files or for the network.
constexpr double kWaiting = 0.1;
constexpr double kIdleCore = 0.5;  // cores without work, from which on an observer takes none from the training

std::string share_text(double share) {
    return share < 1.0 ? fmt::format("{:.0f} % of a step's time", 100.0 * share)
                       : fmt::format("{:.3g} times a step's time", share);
}

std::string milliseconds_text(double seconds) { return fmt::format("{:.3g} ms", 1e3 * seconds); }

// Returns what the callbacks beside the training cost it.
CostReport effect(const ObserverCost& cost, const RunPace::Figures& run, int cores) {
    const double used = cost.cpu_seconds / run.seconds;
    const double idle = std::max(0.0, cores - run.cpu_seconds / run.seconds);
    if (cost.cpu_seconds < kWaiting * cost.busy_seconds) {
        return {"it mostly waits for files or the network, which costs the training nothing", false};
    }
    if (idle >= kIdleCore) {
        return {fmt::format("it uses {:.2g} of {} cores, of which {:.2g} were idle, so it costs the training no time, "
                            "only bandwidth of the memory",
                            used, cores, idle),
                false};
    }
    return {fmt::format("it uses {:.2g} of {} cores, which were all busy, so the training loses that time; let it "
                        "handle less, or remove it from observe.use",
                        used, cores),
            true};
}

}  // namespace

std::optional<CostReport> report_cost(const ObserverCost& cost, const RunPace::Figures& run, int cores) {
    if (run.steps < kFewestSteps || run.seconds < kShortestRun || cost.steps == 0) {
        return std::nullopt;
    }
    const double step_seconds = run.seconds / static_cast<double>(run.steps);
    const double own_seconds = cost.busy_seconds / static_cast<double>(cost.steps);
    const double share = own_seconds / step_seconds;
    if (share <= kNoticeable) {
        return std::nullopt;
    }
    CostReport report =
        cost.holds ? CostReport{"the run waits for it, because it has hold = true", true} : effect(cost, run, cores);
    report.text = fmt::format("observer '{}' takes {} per step, which is {} ({}); {}", cost.name,
                              milliseconds_text(own_seconds), share_text(share), milliseconds_text(step_seconds),
                              cost.holds ? report.text : "it runs beside the training: " + report.text);
    return report;
}

}  // namespace sluice::observe
