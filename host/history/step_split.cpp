#include "history/step_split.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace sluice::history {
namespace {

constexpr double kNoticeable = 0.1;  // share of a step
constexpr std::string_view kCompute = "compute";

struct Group {
    std::string_view name;
    std::string_view sentence;
    std::array<std::string_view, 3> stages;  // empty ones are none
};

constexpr std::array<Group, 7> kGroups{{{"input", "waits for input", {"read", "preprocess", ""}},
                                        {"copies", "copies between host and device", {"upload", "download", ""}},
                                        {kCompute, "computes", {"forward", "backward", "optimizer"}},
                                        {"exchange", "exchanges with other replicas", {"exchange", "", ""}},
                                        {"observers", "waits for observers", {"output", "", ""}},
                                        {"files", "writes files", {"storage", "", ""}},
                                        {"rest", "prepares and does the rest", {"prepare", "other", ""}}}};

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

std::vector<StepPart> split_steps(const RunHistory& history, std::size_t most) {
    std::vector<StepPart> parts;
    double all = 0.0;
    for (const Group& group : kGroups) {
        StepPart part{.name = group.name, .sentence = group.sentence};
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

std::string limit_of(const std::vector<StepPart>& parts) {
    if (parts.empty()) {
        return {};
    }
    const auto is_more = [](const StepPart& a, const StepPart& b) {
        return (a.name == kCompute ? -1.0 : a.share) < (b.name == kCompute ? -1.0 : b.share);
    };
    const auto most = std::ranges::max_element(parts, is_more);
    const auto compute = std::ranges::find(parts, kCompute, &StepPart::name);
    const StepPart& limit = most->share >= kNoticeable || compute == parts.end() ? *most : *compute;
    return fmt::format("{} {:.0f} %", limit.sentence, 100.0 * limit.share);
}

}  // namespace sluice::history
