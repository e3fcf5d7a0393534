#include "history/step_split.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "base/control.hpp"
#include "base/program_name.hpp"
#include "base/text/shell_quoted.hpp"

namespace sluice::history {
namespace {

constexpr double kNoticeable = 0.1;  // share of a step
constexpr std::string_view kCompute = "compute";
constexpr std::string_view kInput = "input";

struct Group {
    std::string_view name;
    std::string_view sentence;
    std::string_view bound;
    std::array<std::string_view, 3> stages;  // empty ones are none
};

constexpr std::array<Group, 7> kGroups{
    {{kInput, "waits for input", "input-bound", {"read", "preprocess", ""}},
     {"copies", "copies between host and device", "bound by copies", {"upload", "download", ""}},
     {kCompute, "computes", "compute-bound", {"forward", "backward", "optimizer"}},
     {"exchange", "exchanges with other replicas", "bound by the exchange", {"exchange", "", ""}},
     {"observers", "waits for observers", "bound by observers", {"output", "", ""}},
     {"files", "writes files", "bound by files", {"storage", "", ""}},
     {"rest", "prepares and does the rest", "bound by the rest", {"prepare", "other", ""}}}};

}  // namespace

double recent_mean(const Series* series, std::size_t most) {
    if (series == nullptr) {
        return 0.0;
    }
    double sum = 0.0;
    double count = 0.0;
    const std::size_t size = series->values.size();
    for (std::size_t i = size - std::min(size, most); i < size; ++i) {
        if (!std::isnan(series->values[i])) {
            sum += series->values[i];
            count += 1.0;
        }
    }
    return count > 0.0 ? sum / count : 0.0;
}

namespace {

// Null without parts.
const StepPart* find_limit(const std::vector<StepPart>& parts) {
    if (parts.empty()) {
        return nullptr;
    }
    const auto is_more = [](const StepPart& a, const StepPart& b) {
        return (a.name == kCompute ? -1.0 : a.share) < (b.name == kCompute ? -1.0 : b.share);
    };
    const auto most = std::ranges::max_element(parts, is_more);
    const auto compute = std::ranges::find(parts, kCompute, &StepPart::name);
    return most->share >= kNoticeable || compute == parts.end() ? &*most : &*compute;
}

}  // namespace

std::vector<StepPart> split_steps(const RunHistory& history, std::size_t most) {
    std::vector<StepPart> parts;
    double all = 0.0;
    for (const Group& group : kGroups) {
        StepPart part{.name = group.name, .sentence = group.sentence, .bound = group.bound};
        for (const std::string_view stage : group.stages) {
            part.seconds +=
                stage.empty() ? 0.0 : recent_mean(history.step_series(std::string(stage) + "_seconds"), most);
        }
        all += part.seconds;
        parts.push_back(part);
    }
    if (!(all > 0.0) || !std::isfinite(all)) {
        return {};
    }
    for (StepPart& part : parts) {
        part.share = part.seconds / all;
    }
    return parts;
}

std::string limit_of(const std::vector<StepPart>& parts, const std::string& awaited) {
    const StepPart* const limit = find_limit(parts);
    if (limit == nullptr) {
        return {};
    }
    const std::string stage = limit->name == kInput && !awaited.empty() ? fmt::format(" ('{}')", shown(awaited)) : "";
    return fmt::format("{}{} {:.0f} %", limit->sentence, stage, 100.0 * limit->share);
}

namespace {

// What a run does between its steps.
struct Between {
    std::string_view name;  // "evaluation"
    double share = 0.0;     // of the steps' time and its own
};

// Evaluations or checkpoints of the last sitting, whichever takes more; its share is 0 before the end of the run.
Between most_between(const RunHistory& history) {
    Between most;
    const auto seconds_of = [&](std::string_view name) {
        const auto& phases = history.sittings().back().phases;
        const auto phase =
            std::ranges::find(phases, std::string(name) + "_seconds", &std::pair<std::string, double>::first);
        return phase != phases.end() ? phase->second : 0.0;
    };
    if (history.sittings().empty()) {
        return most;
    }
    const double steps = seconds_of("steps");
    for (const std::string_view name : {"evaluation", "checkpoints"}) {
        const double seconds = seconds_of(name);
        const double share = seconds > 0.0 ? seconds / (steps + seconds) : 0.0;
        if (share > most.share) {
            most = {.name = name, .share = share};
        }
    }
    return most;
}

}  // namespace

std::string verdict_of(const RunHistory& history, const std::filesystem::path& run) {
    const std::vector<StepPart> parts = split_steps(history);
    const StepPart* const limit = find_limit(parts);
    const std::string command = typed("diagnose " + shell_quoted(shown(run.string())));
    const Between between = most_between(history);
    const double of_steps = limit == nullptr || limit->name == kCompute ? 0.0 : limit->share * (1.0 - between.share);
    if (between.share >= kNoticeable && between.share > of_steps) {
        return fmt::format("It is bound by {}, which took {:.0f} % of the time beside the steps; {} finds out why.",
                           between.name, 100.0 * between.share, command);
    }
    if (limit == nullptr) {
        return "INCOMPLETE: the events have no stages of steps, which the observer 'metrics' writes.";
    }
    const std::string sentence = limit_of(parts, history.awaited_stage());
    return fmt::format("It is {}: a step {} of its time; {} finds out why.", limit->bound, sentence, command);
}

}  // namespace sluice::history
