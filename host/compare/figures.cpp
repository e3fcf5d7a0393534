#include "compare/figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <string_view>

#include "history/stages.hpp"

namespace sluice::compare {
namespace {

using history::RunHistory;
using history::RunRecord;
using history::Series;

// Standard deviations between equal runs on one machine: of times, relative to them; and of a share s, in units of
// sqrt(s (1 - s)). tests/bench/comparisons.py shows whether they are large enough.
constexpr double kTimeError = 0.01;
constexpr double kShareError = 0.006;
constexpr double kMemoryError = 0.02;     // relative standard deviation of a peak of memory
constexpr double kRuns = 20.0;            // by which these are known
constexpr std::size_t kWarmUpShare = 10;  // one of so many events of a start is its warm-up
constexpr std::size_t kMostWarmUp = 20;   // events
constexpr std::size_t kEndShare = 5;      // the last fifth of a training gives its final loss

// Steps of events that are no warm-up.
std::vector<bool> steady_of(const RunHistory& run, const std::vector<double>& steps) {
    std::vector<bool> steady(steps.size(), true);
    const std::vector<history::Sitting>& sittings = run.sittings();
    for (std::size_t i = 0; i < sittings.size(); ++i) {
        const auto begin = std::ranges::upper_bound(steps, static_cast<double>(sittings[i].first_step));
        const auto end = i + 1 < sittings.size()
                             ? std::ranges::upper_bound(steps, static_cast<double>(sittings[i + 1].first_step))
                             : steps.end();
        const auto count = static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, end - begin));
        const std::size_t warm_up = std::min(kMostWarmUp, (count + kWarmUpShare - 1) / kWarmUpShare);
        std::fill_n(steady.begin() + (begin - steps.begin()), warm_up, false);
    }
    return steady;
}

// The values of steps that are no warm-up.
std::vector<double> steady_values(const RunHistory& run, const Series& series) {
    const std::vector<bool> steady = steady_of(run, series.steps);
    std::vector<double> values;
    for (std::size_t i = 0; i < series.values.size(); ++i) {
        if (steady[i]) {
            values.push_back(series.values[i]);
        }
    }
    return values;
}

Estimate time_of(const RunHistory& run, const std::string& name) {
    const Series* const series = run.step_series(name);
    if (series == nullptr) {
        return {};
    }
    const std::vector<double> values = steady_values(run, *series);
    return estimate(values, kTimeError * estimate(values, 0.0).mean);
}

// Shares hardly change if the whole machine is slower for a while.
Estimate share_of(const RunHistory& run, const std::string& name) {
    const Series* const stage = run.step_series(name);
    const Series* const step = run.step_series("step_seconds");
    if (stage == nullptr || step == nullptr || stage->steps != step->steps) {
        return {};
    }
    Series shares{.steps = stage->steps};
    for (std::size_t i = 0; i < stage->values.size(); ++i) {
        shares.values.push_back(step->values[i] > 0.0 ? stage->values[i] / step->values[i] : kUnknown);
    }
    const std::vector<double> values = steady_values(run, shares);
    const double share = std::clamp(estimate(values, 0.0, Centre::middle).mean, 0.0, 1.0);
    return estimate(values, kShareError * std::sqrt(share * (1.0 - share)), Centre::middle);
}

// Batches of one run are of one size, so that the speed is as uncertain as the time of a step.
Estimate speed_of(const RunHistory& run) {
    const Series* const samples = run.step_series("samples");
    Estimate step = time_of(run, "step_seconds");
    if (samples == nullptr || !(step.mean > 0.0)) {
        return {};
    }
    const double batch = estimate(samples->values, 0.0).mean;
    return {.mean = batch / step.mean, .error = batch / step.mean * (step.error / step.mean), .freedom = step.freedom};
}

Estimate loss_of(const RunHistory& run) {
    const Series* const series = run.step_series("loss");
    if (series == nullptr || series->values.empty()) {
        return {};
    }
    const std::size_t count = std::max<std::size_t>(1, series->values.size() / kEndShare);
    Estimate loss = estimate({series->values.end() - static_cast<std::ptrdiff_t>(count), series->values.end()}, 0.0);
    loss.is_lost = std::isnan(series->values.back());
    return loss;
}

Estimate score_of(const RunHistory& run, const std::string& name) {
    const Series* const series = run.score_series(name);
    return series == nullptr ? Estimate{} : estimate_last(series->values);
}

Estimate peak_of(const RunRecord& run, const std::string& column) {
    double peak = kUnknown;
    for (const double value : run.usage().column(column)) {
        peak = std::isnan(peak) || value > peak ? value : peak;
    }
    return std::isnan(peak) ? Estimate{} : Estimate{.mean = peak, .error = kMemoryError * peak, .freedom = kRuns};
}

// Returns the names of all runs, in the order in which they came first.
template <class NamesOf>
std::vector<std::string> all_names(const Runs& runs, NamesOf names_of) {
    std::vector<std::string> all;
    for (const RunRecord* const run : runs) {
        for (const std::string& name : names_of(*run)) {
            if (std::ranges::find(all, name) == all.end()) {
                all.push_back(name);
            }
        }
    }
    return all;
}

std::vector<std::string> score_names(const RunRecord& run) {
    std::vector<std::string> names;
    for (const Series& series : run.history().scores()) {
        names.push_back(series.name);
    }
    return names;
}

std::vector<std::string> memory_columns(const RunRecord& run) {
    std::vector<std::string> names;
    for (const std::string& column : run.usage().columns()) {
        if (column == "resident_bytes" || (column.starts_with("gpu") && column.ends_with("_memory_bytes"))) {
            names.push_back(column);
        }
    }
    return names;
}

std::string memory_title(const std::string& column) {
    return column == "resident_bytes" ? "resident memory"
                                      : fmt::format("memory of GPU {}", column.substr(3, column.find('_') - 3));
}

}  // namespace

std::vector<Figure> figures_of(const Runs& runs) {
    std::vector<Figure> figures;
    const auto add = [&](Figure figure, const std::function<Estimate(const RunRecord&)>& of) {
        std::ranges::transform(runs, std::back_inserter(figure.runs), [&](const RunRecord* run) { return of(*run); });
        if (std::ranges::any_of(figure.runs, &Estimate::is_known)) {
            figures.push_back(std::move(figure));
        }
    };
    const auto add_time = [&](const std::string& name, const std::string& title, FigureKind kind) {
        add({.name = name, .title = title, .unit = "s", .kind = kind},
            [&](const RunRecord& run) { return time_of(run.history(), name); });
    };
    add_time("step_seconds", "step", FigureKind::step);
    for (const std::string_view stage : history::kStages) {
        add_time(fmt::format("{}_seconds", stage), std::string(stage), FigureKind::stage);
    }
    for (const std::string_view stage : history::kStages) {
        add({.name = fmt::format("{}_share", stage),
             .title = fmt::format("{}, share", stage),
             .unit = "share",
             .kind = FigureKind::share},
            [&](const RunRecord& run) { return share_of(run.history(), fmt::format("{}_seconds", stage)); });
    }
    std::erase_if(figures, [](const Figure& figure) {
        constexpr double kShown = 0.001;  // the least share that is worth a line
        const bool is_stage = figure.kind == FigureKind::stage || figure.kind == FigureKind::share;
        const double least = figure.kind == FigureKind::share ? kShown : 0.0;
        return is_stage && std::ranges::all_of(figure.runs, [&](const Estimate& run) { return !(run.mean > least); });
    });
    add({.name = "samples_per_second", .title = "speed", .unit = "samples/s", .kind = FigureKind::speed},
        [](const RunRecord& run) { return speed_of(run.history()); });
    add({.name = "loss", .title = "training loss", .kind = FigureKind::loss},
        [](const RunRecord& run) { return loss_of(run.history()); });
    for (const std::string& name : all_names(runs, score_names)) {
        const std::string title = name == "validation_loss" ? "loss" : name;
        if (!name.starts_with("input_")) {  // those of the network's input do not depend on the training
            add({.name = "validation." + title, .title = title, .kind = FigureKind::score},
                [&](const RunRecord& run) { return score_of(run.history(), name); });
        }
    }
    for (const std::string& column : all_names(runs, memory_columns)) {
        add({.name = column, .title = memory_title(column), .unit = "B", .kind = FigureKind::memory},
            [&](const RunRecord& run) { return peak_of(run, column); });
    }
    add({.name = "seconds", .title = "whole training", .unit = "s", .kind = FigureKind::whole},
        [](const RunRecord& run) {
            const double seconds = run.history().seconds();
            const Estimate step = time_of(run.history(), "step_seconds");
            return seconds > 0.0
                       ? Estimate{.mean = seconds, .error = seconds * step.error / step.mean, .freedom = step.freedom}
                       : Estimate{};
        });
    return figures;
}

}  // namespace sluice::compare
