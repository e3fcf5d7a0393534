#include "history/step_split.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

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

std::string verdict_of(const RunHistory& history, const std::filesystem::path& run) {
    const std::vector<StepPart> parts = split_steps(history);
    const StepPart* const limit = find_limit(parts);
    if (limit == nullptr) {
        return "INCOMPLETE: the events have no stages of steps, which the observer 'metrics' writes.";
    }
    const std::string sentence = limit_of(parts, history.awaited_stage());
    return fmt::format("It is {}: a step {} of its time; {} finds out why.", limit->bound, sentence,
                       typed("diagnose " + shell_quoted(shown(run.string()))));
}

}  // namespace sluice::history
