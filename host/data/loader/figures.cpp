#include "data/loader/figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/text/counted.hpp"

namespace sluice::data {
namespace {

constexpr double kMegabyte = 1e6;
// If the caller waits for a smaller share of the time, there is nothing worth gaining.
constexpr double kWaitsLittle = 0.02;

double share(double part, double whole) { return whole > 0.0 ? part / whole : 0.0; }

double busy_seconds(const LoaderFigures& figures) {
    double seconds = 0.0;
    for (const StageFigures& stage : figures.stages) {
        seconds += stage.sum.seconds;
    }
    return seconds;
}

// "-" if there are no bytes: the input of a source is not known here.
std::string rate_of(std::uint64_t bytes, double seconds) {
    return bytes == 0 ? "-" : fmt::format("{:.1f}", static_cast<double>(bytes) / kMegabyte / seconds);
}

std::string line_of(const StageFigures& stage, double seconds, std::size_t width) {
    const StageSum& sum = stage.sum;
    if (sum.samples == 0) {
        return fmt::format("{:<{}}  done with the one before, or not at all\n", stage.name, width);
    }
    return fmt::format("{:<{}}  {:>9.1f}  {:>12.2f}  {:>9.0f} %  {:>8}  {:>8}\n", stage.name, width,
                       static_cast<double>(sum.samples) / seconds, sum.seconds / seconds,
                       100.0 * share(sum.computed, sum.seconds), rate_of(sum.taken, seconds),
                       rate_of(sum.written, seconds));
}

// The stages of a sample run in one thread, so no stage waits for another. Threads wait only when all batches ahead are
// made, so this line is about workers and not about one stage.
std::string workers_line(const LoaderFigures& figures) {
    const double busy = share(busy_seconds(figures), figures.worker_seconds);
    const double at_work = std::clamp(share(figures.at_work, figures.worker_seconds), 0.0, 1.0);
    return fmt::format(
        "{}: {:.0f} % at these stages, {:.0f} % at putting samples into batches, {:.0f} % blocked "
        "on output\n",
        counted(figures.workers, "worker"), 100.0 * busy, 100.0 * std::max(0.0, at_work - busy),
        100.0 * (1.0 - at_work));
}

std::string verdict(const LoaderFigures& figures, bool drained) {
    const double waited = share(figures.waited, figures.seconds);
    if (!drained && waited < kWaitsLittle) {
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
    difference.worker_seconds -= before.worker_seconds;
    difference.at_work -= before.at_work;
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
    std::string text = fmt::format("{:<{}}  {:>9}  {:>12}  {:>11}  {:>8}  {:>8}\n", "stage", width, "samples/s",
                                   "threads busy", "computing", "MB/s in", "MB/s out");
    for (const StageFigures& stage : figures.stages) {
        text += line_of(stage, figures.seconds, width);
    }
    text += workers_line(figures);
    const auto batches = static_cast<double>(figures.batches);
    text +=
        fmt::format("{:.1f} samples/s in batches; {:.1f} of {} batches ready{}{}\n",
                    share(static_cast<double>(figures.samples), figures.seconds),
                    share(static_cast<double>(figures.ready), batches), figures.prefetch + 1,
                    drained ? "" : fmt::format("; waited {:.1f} %", 100.0 * share(figures.waited, figures.seconds)),
                    figures.replaced > 0 ? fmt::format("; {} replaced", counted(figures.replaced, "bad sample")) : "");
    return text + verdict(figures, drained) + "\n";
}

std::string to_json(const LoaderFigures& figures) {
    nlohmann::ordered_json stages = nlohmann::ordered_json::array();
    for (const StageFigures& stage : figures.stages) {
        stages.push_back({{"name", stage.name},
                          {"samples", stage.sum.samples},
                          {"bytes_in", stage.sum.taken},
                          {"bytes_out", stage.sum.written},
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
        {"worker_seconds", figures.worker_seconds},
        {"at_work_seconds", figures.at_work},
        {"ready", share(static_cast<double>(figures.ready), static_cast<double>(figures.batches))},
        {"waited_seconds", figures.waited},
        {"replaced", figures.replaced},
        {"slowest", figures.stages[figures.slowest()].name},
        {"stages", stages}};
    return all.dump(2) + "\n";
}

}  // namespace sluice::data
