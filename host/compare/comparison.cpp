#include "compare/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string_view>

#include "compare/change_text.hpp"
#include "history/run_lock.hpp"
#include "history/run_state.hpp"

namespace sluice::compare {
namespace {

constexpr double kChance = 0.05;       // that the verdict on two equal runs names any difference
constexpr double kNoticeable = 0.01;   // share of a step; the verdict leaves out smaller differences
constexpr std::size_t kMostNamed = 3;  // stages and scores in a verdict
constexpr const char* kNothing = "no difference beyond noise";
constexpr const char* kTooFew = "too few steps and evaluations were recorded to compare the runs";

bool is_time(const Figure& figure) { return figure.kind == FigureKind::step || figure.kind == FigureKind::stage; }

bool is_result(const Figure& figure) { return figure.kind == FigureKind::loss || figure.kind == FigureKind::score; }

// The speed follows from the time of a step. A single value, such as a peak of memory, says nothing of chance.
bool is_judged(const Figure& figure) {
    return is_time(figure) || figure.kind == FigureKind::share || is_result(figure);
}

history::RunState state_of(const history::RunRecord& record) {
    return history::state_of(record.history(), history::is_alive(record.folder()));
}

std::string state_text(const history::RunRecord& record) {
    const history::RunHistory& run = record.history();
    const char* const state = name_of(state_of(record));
    return run.last_step() > 0 ? fmt::format("{}, step {} of {}", state, run.step(), run.last_step())
                               : fmt::format("{}, step {}", state, run.step());
}

// Holm's method: of all judged figures of two equal runs, one is called different with a chance of kChance at most.
void judge(const std::vector<Figure>& figures, double step_seconds, std::vector<Change>& changes) {
    std::vector<Change*> judged;
    for (Change& change : changes) {
        if (is_judged(figures[change.figure])) {
            judged.push_back(&change);
        }
    }
    std::ranges::sort(judged, {}, [](const Change* change) { return change->contrast.chance; });
    for (std::size_t i = 0; i < judged.size(); ++i) {
        if (judged[i]->contrast.chance > kChance / static_cast<double>(judged.size() - i)) {
            break;
        }
        const Figure& figure = figures[judged[i]->figure];
        const double step = figure.kind == FigureKind::share ? 1.0 : step_seconds;
        judged[i]->is_real = is_result(figure) || std::abs(judged[i]->contrast.difference.value) >= kNoticeable * step;
    }
}

std::vector<const Change*> real_ones(const std::vector<Figure>& figures, const std::vector<Change>& changes,
                                     bool (*is_wanted)(const Figure&)) {
    std::vector<const Change*> real;
    for (const Change& change : changes) {
        if (change.is_real && is_wanted(figures[change.figure])) {
            real.push_back(&change);
        }
    }
    std::ranges::stable_sort(real, [](const Change* a, const Change* b) {
        return std::abs(a->contrast.difference.value) > std::abs(b->contrast.difference.value);
    });
    return real;
}

bool grows(const Change* change) { return change->contrast.difference.value > 0.0; }

// The share of which the growth is the largest, if at least its own interval has no other sign; else null.
const Change* most_grown_share(const std::vector<Figure>& figures, const std::vector<Change>& changes) {
    const Change* most = nullptr;
    for (const Change& change : changes) {
        if (figures[change.figure].kind == FigureKind::share && change.contrast.difference.low > 0.0 &&
            (most == nullptr || change.contrast.difference.value > most->contrast.difference.value)) {
            most = &change;
        }
    }
    return most;
}

std::string list_of(const std::vector<Figure>& figures, const std::vector<const Change*>& changes, std::size_t run) {
    std::string text;
    for (std::size_t i = 0; i < changes.size() && i < kMostNamed; ++i) {
        text += (i == 0 ? "" : ", ") + change_text(figures[changes[i]->figure], changes[i]->contrast, run);
    }
    if (changes.size() > kMostNamed) {
        text += fmt::format(" and {} more", changes.size() - kMostNamed);
    }
    return text;
}

// Describes the interval of the ratio of step times, for runs whose steps do not differ beyond noise.
std::string step_text(const std::vector<Figure>& figures, const std::vector<Change>& changes) {
    constexpr double kClose = 0.05;
    const auto step = std::ranges::find_if(
        changes, [&](const Change& change) { return figures[change.figure].kind == FigureKind::step; });
    if (step == changes.end() || !(step->contrast.ratio.low < step->contrast.ratio.high)) {
        return "";
    }
    const Interval& ratio = step->contrast.ratio;
    const std::string range = fmt::format("({:.3g} to {:.3g} times)", ratio.low, ratio.high);
    if (ratio.low > 1.0 - kClose && ratio.high < 1.0 + kClose) {
        return "a step takes as long " + range;
    }
    if (ratio.low > 1.0 || ratio.high < 1.0) {
        return fmt::format("a step may take {} {}", ratio.low > 1.0 ? "longer" : "less time", range);
    }
    return "noise hides whether a step takes longer " + range;
}

// Names how the other run failed, and its losses and scores that are NaN at its end. Empty if there is nothing.
std::string loss_text(const std::vector<Figure>& figures, history::RunState state, std::size_t run) {
    std::string text;
    if (state == history::RunState::diverged || state == history::RunState::failed) {
        text = fmt::format("the run has {}; ", name_of(state));
    }
    for (const Figure& figure : figures) {
        if (is_result(figure) && figure.runs[run].is_lost) {
            text += fmt::format("its {} is no number at its end; ", figure_text(figure));
        }
    }
    return text;
}

std::string verdict_on(const std::vector<Figure>& figures, const std::vector<Change>& changes, std::size_t run) {
    const bool has_judged = std::ranges::any_of(changes, [&](const Change& change) {
        return is_judged(figures[change.figure]) && change.contrast.difference.low < change.contrast.difference.high;
    });
    const auto steps = real_ones(figures, changes, [](const Figure& one) { return one.kind == FigureKind::step; });
    const auto stages = real_ones(figures, changes, [](const Figure& one) { return one.kind == FigureKind::stage; });
    auto shares = real_ones(figures, changes, [](const Figure& one) { return one.kind == FigureKind::share; });
    const auto results = real_ones(figures, changes, is_result);
    // If a stage takes more of a step, the others take less, which is not worth a word. If only less is sure, the one
    // that grows most is the likely cause.
    if (std::ranges::any_of(shares, grows)) {
        std::erase_if(shares, [](const Change* change) { return !grows(change); });
    } else if (!shares.empty()) {
        if (const Change* const grown = most_grown_share(figures, changes)) {
            shares.insert(shares.begin(), grown);
        }
    }
    std::string text;
    if (!steps.empty()) {
        text = list_of(figures, steps, run) + (stages.empty() && shares.empty() ? "" : ": ");
    } else if (!stages.empty() || !shares.empty()) {
        const std::string step = step_text(figures, changes);
        text = step.empty() ? "" : step + "; ";
    }
    text += list_of(figures, stages.empty() ? shares : stages, run);
    if (!results.empty()) {
        text += (text.empty() ? "" : "; ") + list_of(figures, results, run) + " (another seed may differ by more)";
    }
    if (!text.empty()) {
        return text;
    }
    if (!has_judged) {
        return kTooFew;
    }
    const std::string step = step_text(figures, changes);
    return step.empty() ? kNothing : fmt::format("{}; {}", kNothing, step);
}

}  // namespace

Comparison compare(const Runs& runs) {
    Comparison result{.settings = setting_differences(runs), .figures = figures_of(runs)};
    for (std::size_t run = 0; run < runs.size(); ++run) {
        result.names.push_back(run_letter(run));
        result.folders.push_back(runs[run]->folder().string());
        result.states.push_back(state_text(*runs[run]));
    }
    for (std::size_t run = 1; run < runs.size(); ++run) {
        Against other{.run = run};
        double step_seconds = 0.0;
        for (std::size_t figure = 0; figure < result.figures.size(); ++figure) {
            const std::vector<Estimate>& estimates = result.figures[figure].runs;
            if (!estimates.front().is_known() || !estimates[run].is_known()) {
                continue;
            }
            other.changes.push_back({.figure = figure, .contrast = contrast(estimates.front(), estimates[run])});
            if (result.figures[figure].kind == FigureKind::step) {
                step_seconds = estimates.front().mean;
            }
        }
        judge(result.figures, step_seconds, other.changes);
        const std::string verdict = verdict_on(result.figures, other.changes, run);
        const std::string lost = loss_text(result.figures, state_of(*runs[run]), run);
        other.verdict =
            lost.empty() || !verdict.starts_with(kNothing) ? lost + verdict : lost + "no other difference beyond noise";
        const std::int64_t first = runs.front()->history().step();
        const std::int64_t own = runs[run]->history().step();
        if (first != own) {
            other.verdict += fmt::format("; it has {} steps, the first run {}", own, first);
        }
        result.others.push_back(std::move(other));
    }
    return result;
}

}  // namespace sluice::compare
