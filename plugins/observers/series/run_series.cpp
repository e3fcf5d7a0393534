// The series of a run for tools that draw curves.
#include "series/run_series.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace sluice::observers {
namespace {

// With these numbers a run of 100,000 steps has about 7,600 points of steps. Usage comes once a second.
constexpr std::int64_t kFullSteps = 2000;
constexpr std::int64_t kFullUsage = 600;

bool is_state(std::string_view name) {
    return name == "rate" || name == "loss_scale" || name == "skipped_steps" || name == "good_steps";
}
bool always(std::string_view) { return true; }
bool never(std::string_view) { return false; }

std::string title_of(SeriesKind kind, const std::string& name) {
    switch (kind) {
        case SeriesKind::steps:
            return (name.ends_with("_seconds") ? "time/" : "train/") + name;
        case SeriesKind::epochs:
            return "epoch/" + name;
        case SeriesKind::evaluations:
            return "evaluation/" + name;
        default:
            return "usage/" + name;
    }
}

std::optional<SeriesKind> kind_of(const sluice_event& event) {
    switch (event.kind) {
        case SLUICE_EVENT_STEP:
            return SeriesKind::steps;
        case SLUICE_EVENT_EPOCH_END:
            return SeriesKind::epochs;
        case SLUICE_EVENT_EVALUATION:
            return SeriesKind::evaluations;
        case SLUICE_EVENT_USAGE:
            return SeriesKind::usage;
        default:
            return std::nullopt;
    }
}

void append(SeriesKind kind, std::vector<MeanPoint>& means, std::vector<SeriesPoint>& to) {
    for (MeanPoint& mean : means) {
        for (SeriesValue& value : mean.values) {
            value.name = title_of(kind, value.name);
        }
        to.push_back({kind, std::move(mean)});
    }
    means.clear();
}

}  // namespace

RunSeries::RunSeries()
    : series_{MeanSeries(kFullSteps, is_state), MeanSeries(kFullSteps, never), MeanSeries(kFullSteps, always),
              MeanSeries(kFullUsage, never)} {}

std::vector<SeriesPoint> RunSeries::take(const sluice_event& event) {
    std::vector<SeriesPoint> points;
    std::vector<MeanPoint> means;
    if (const auto kind = kind_of(event)) {
        series_.at(static_cast<std::size_t>(*kind)).add(number_of(*kind, event), event, means);
        append(*kind, means, points);
    } else if (event.kind == SLUICE_EVENT_RUN_END) {
        for (std::size_t i = 0; i < series_.size(); ++i) {
            series_.at(i).finish(means);
            append(static_cast<SeriesKind>(i), means, points);
        }
        // Readers expect steps in their order.
        std::stable_sort(points.begin(), points.end(),
                         [](const SeriesPoint& a, const SeriesPoint& b) { return a.mean.step < b.mean.step; });
    }
    return points;
}

// Numbers of steps and epochs continue after a resume, so that a resumed run has points at the same steps.
std::int64_t RunSeries::number_of(SeriesKind kind, const sluice_event& event) {
    switch (kind) {
        case SeriesKind::steps:
            return event.step;
        case SeriesKind::epochs:
            return event.epoch;
        case SeriesKind::evaluations:
            return ++evaluation_count_;
        default:
            return ++usage_count_;
    }
}

}  // namespace sluice::observers
