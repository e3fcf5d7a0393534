#include "history/run_history.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>

namespace sluice::history {
namespace {

constexpr std::size_t kRecent = 20;  // step events from which the present speed is taken

std::int64_t whole(double value) { return std::isfinite(value) ? static_cast<std::int64_t>(value) : 0; }

}  // namespace

void RunHistory::SeriesList::add(const EventLine& event) {
    for (const auto& [name, value] : event.scalars) {
        auto found = std::ranges::find(series, name, &Series::name);
        if (found == series.end()) {
            found = series.insert(series.end(), {.name = name});
        }
        const auto step = static_cast<double>(event.step);
        if (found->steps.empty() || step > found->steps.back()) {  // a damaged file may repeat steps
            found->add(step, value);
        }
    }
}

void RunHistory::SeriesList::cut_after(double step) {
    for (Series& one : series) {
        one.cut_after(step);
    }
}

const Series* RunHistory::SeriesList::find(const std::string& name) const {
    const auto found = std::ranges::find(series, name, &Series::name);
    return found == series.end() ? nullptr : &*found;
}

// A run that was resumed trains the steps after its checkpoint again.
void RunHistory::begin(const EventLine& event) {
    epochs_ = whole(event.scalar("epochs", 0.0));
    last_step_ = whole(event.scalar("steps", 0.0));
    step_ = event.step;
    epoch_ = event.epoch;
    sittings_.push_back({.first_step = event.step});
    steps_.cut_after(static_cast<double>(event.step));
    scores_.cut_after(static_cast<double>(event.step));
    std::erase_if(pictures_, [&](const auto& picture) { return picture.first > event.step; });
    std::erase_if(evaluations_, [&](const EvaluationRow& row) { return row.step > event.step; });
}

void RunHistory::add(const EventLine& event) {
    if (event.kind == EventKind::run_begin) {
        begin(event);
    }
    if (sittings_.empty()) {
        sittings_.emplace_back();  // the first line was lost
    }
    sittings_.back().seconds = event.seconds;
    step_ = std::max(step_, event.step);
    epoch_ = std::max(epoch_, event.epoch);
    switch (event.kind) {
        case EventKind::step:
            steps_.add(event);
            count_awaited(event.text);
            break;
        case EventKind::evaluation:
            scores_.add(event);
            evaluations_.push_back(
                {.epoch = event.epoch, .step = event.step, .scores = event.scalars, .best_by = event.text});
            break;
        case EventKind::samples:
            std::erase_if(pictures_, [&](const auto& picture) { return picture.second == event.text; });
            pictures_.emplace_back(event.step, event.text);
            break;
        case EventKind::run_end:
            sittings_.back().ended = event.text;
            sittings_.back().phases = event.scalars;
            break;
        default:
            break;
    }
}

void RunHistory::count_awaited(const std::string& stage) {
    constexpr std::size_t kMost = 64;  // stages; a damaged file may have any text
    const auto known = std::ranges::find(awaited_, stage, &std::pair<std::string, std::int64_t>::first);
    if (known != awaited_.end()) {
        ++known->second;
    } else if (!stage.empty() && awaited_.size() < kMost) {
        awaited_.emplace_back(stage, 1);
    }
}

std::string RunHistory::awaited_stage() const {
    const auto most = std::ranges::max_element(awaited_, {}, &std::pair<std::string, std::int64_t>::second);
    return most != awaited_.end() ? most->first : "";
}

double RunHistory::seconds() const {
    double sum = 0.0;
    for (const Sitting& sitting : sittings_) {
        sum += sitting.seconds;
    }
    return sum;
}

std::optional<BestScore> RunHistory::best() const {
    for (auto row = evaluations_.rbegin(); row != evaluations_.rend(); ++row) {
        const auto score = std::ranges::find(row->scores, row->best_by, &std::pair<std::string, double>::first);
        if (score != row->scores.end()) {
            return BestScore{.name = score->first, .value = score->second, .step = row->step};
        }
    }
    return std::nullopt;
}

std::vector<std::string> RunHistory::pictures() const {
    std::vector<std::string> names;
    std::ranges::transform(pictures_, std::back_inserter(names), &std::pair<std::int64_t, std::string>::second);
    return names;
}

double RunHistory::samples_per_second() const {
    const Series* const samples = step_series("samples");
    const Series* const seconds = step_series("step_seconds");
    if (samples == nullptr || seconds == nullptr || samples->values.size() != seconds->values.size()) {
        return 0.0;
    }
    double of_samples = 0.0;
    double of_seconds = 0.0;
    const std::size_t count = samples->values.size();
    for (std::size_t i = count - std::min(count, kRecent); i < count; ++i) {
        of_samples += samples->values[i];
        of_seconds += seconds->values[i];
    }
    return of_seconds > 0.0 ? of_samples / of_seconds : 0.0;
}

}  // namespace sluice::history
