#include "data/figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace sluice::data {
namespace {

constexpr double kMegabyte = 1e6;
// A smaller share of the time is none that anybody would gain.
constexpr double kKeepsUp = 0.02;

double share(double part, double whole) { return whole > 0.0 ? part / whole : 0.0; }

double busy_seconds(const LoaderFigures& figures) {
    double seconds = 0.0;
    for (const StageFigures& stage : figures.stages) {
        seconds += stage.sum.seconds;
    }
    return seconds;
}

std::string line_of(const StageFigures& stage, double seconds, std::size_t width) {
    const StageSum& sum = stage.sum;
    if (sum.samples == 0) {
        return fmt::format("{:<{}}  done with the one before, or not at all\n", stage.name, width);
    }
    return fmt::format("{:<{}}  {:>9.1f}  {:>12.2f}  {:>9.0f} %  {:>8.1f}\n", stage.name, width,
                       static_cast<double>(sum.samples) / seconds, sum.seconds / seconds,
                       100.0 * share(sum.computed, sum.seconds), static_cast<double>(sum.bytes) / kMegabyte / seconds);
}

std::string verdict(const LoaderFigures& figures, bool drained) {
    const double waited = share(figures.waited, figures.seconds);
    if (!drained && waited < kKeepsUp) {
        return fmt::format("The input keeps up: {:.1f} % of the time was spent waiting for it.", 100.0 * waited);
    }
    const StageFigures& slowest = figures.stages[figures.slowest()];
    const double computed = share(slowest.sum.computed, slowest.sum.seconds);
    return fmt::format(
        "{}'{}' takes {:.0f} % of the workers' time{}.",
        drained ? "" : fmt::format("Starved for {:.0f} % of the time: ", 100.0 * waited), slowest.name,
        100.0 * share(slowest.sum.seconds, busy_seconds(figures)),
        computed < 0.5 ? fmt::format(", and waits for files or a free core in {:.0f} % of it", 100.0 * (1.0 - computed))
                       : "");
}

}  // namespace

LoaderFigures LoaderFigures::since(const LoaderFigures& before) const {
    LoaderFigures difference = *this;
    for (std::size_t i = 0; i < before.stages.size(); ++i) {
        difference.stages[i].sum -= before.stages[i].sum;
    }
    difference.seconds -= before.seconds;
    difference.waited -= before.waited;
    difference.batches -= before.batches;
    difference.samples -= before.samples;
    difference.ready -= before.ready;
    difference.replaced -= before.replaced;
    return difference;
}

std::size_t LoaderFigures::slowest() const {
    const auto most = std::ranges::max_element(stages, {}, [](const StageFigures& stage) { return stage.sum.seconds; });
    return static_cast<std::size_t>(most - stages.begin());
}

std::string to_text(const LoaderFigures& figures, bool drained) {
    std::size_t width = 5;
    for (const StageFigures& stage : figures.stages) {
        width = std::max(width, stage.name.size());
    }
    std::string text = fmt::format("{:<{}}  {:>9}  {:>12}  {:>11}  {:>8}\n", "stage", width, "samples/s",
                                   "threads busy", "computing", "MB/s");
    for (const StageFigures& stage : figures.stages) {
        text += line_of(stage, figures.seconds, width);
    }
    const auto batches = static_cast<double>(figures.batches);
    text += fmt::format("{:.1f} samples/s in batches; {} worker(s) {:.0f} % busy; {:.1f} of {} batches ready{}{}\n",
                        share(static_cast<double>(figures.samples), figures.seconds), figures.workers,
                        100.0 * share(busy_seconds(figures), figures.seconds * static_cast<double>(figures.workers)),
                        share(static_cast<double>(figures.ready), batches), figures.prefetch + 1,
                        drained ? "" : fmt::format("; waited {:.1f} %", 100.0 * share(figures.waited, figures.seconds)),
                        figures.replaced > 0 ? fmt::format("; {} bad sample(s) replaced", figures.replaced) : "");
    return text + verdict(figures, drained) + "\n";
}

std::string to_json(const LoaderFigures& figures) {
    nlohmann::ordered_json stages = nlohmann::ordered_json::array();
    for (const StageFigures& stage : figures.stages) {
        stages.push_back({{"name", stage.name},
                          {"samples", stage.sum.samples},
                          {"bytes", stage.sum.bytes},
                          {"seconds", stage.sum.seconds},
                          {"computed_seconds", stage.sum.computed}});
    }
    const nlohmann::ordered_json all{
        {"seconds", figures.seconds},
        {"batches", figures.batches},
        {"samples", figures.samples},
        {"samples_per_second", share(static_cast<double>(figures.samples), figures.seconds)},
        {"workers", figures.workers},
        {"prefetch", figures.prefetch},
        {"waited_seconds", figures.waited},
        {"replaced", figures.replaced},
        {"slowest", figures.stages[figures.slowest()].name},
        {"stages", stages}};
    return all.dump(2) + "\n";
}

}  // namespace sluice::data
