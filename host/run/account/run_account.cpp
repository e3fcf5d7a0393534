#include "run/account/run_account.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace sluice::run {
namespace {

constexpr std::array<const char*, kPhases> kPhaseNames{"start",       "steps",     "evaluation",
                                                       "checkpoints", "profiling", "end"};
constexpr std::size_t kMostStages = 5;  // in a line
constexpr std::size_t kLongestText = 128;
constexpr double kLeastShare = 0.0005;  // less than that would be listed as 0.0 %

double share(double part, double whole) { return whole > 0.0 ? part / whole : 0.0; }

// "backward 51.0 %, forward 24.1 %": the largest stages. Runs of any length allocate the same for it.
std::string stages_text(const profile::StageSeconds& seconds) {
    std::vector<std::pair<double, profile::Stage>> stages;
    for (std::size_t i = 0; i <= profile::kStages; ++i) {
        const auto stage = static_cast<profile::Stage>(i);
        stages.emplace_back(share(seconds[stage], seconds.total()), stage);
    }
    std::ranges::stable_sort(stages, std::ranges::greater{}, [](const auto& one) { return one.first; });
    stages.resize(kMostStages);
    std::string text;
    text.reserve(kLongestText);
    for (const auto& [of_phase, stage] : stages) {
        if (of_phase >= kLeastShare) {
            fmt::format_to(std::back_inserter(text), "{}{} {:.1f} %", text.empty() ? "" : ", ", profile::name_of(stage),
                           100.0 * of_phase);
        }
    }
    return text;
}

}  // namespace

void RunAccount::add_beside_device(const profile::StageSeconds& seconds) {
    beside_device_ += seconds;
    beside_device_[profile::Stage::device] = 0.0;  // a wait is no work
}

void RunAccount::add(Phase phase, const profile::StageSeconds& seconds) {
    phases_[static_cast<std::size_t>(phase)] += seconds;
}

double RunAccount::total() const {
    double seconds = 0.0;
    for (const profile::StageSeconds& phase : phases_) {
        seconds += phase.total();
    }
    return seconds;
}

double RunAccount::other_seconds() const {
    double other = 0.0;
    for (const Phase phase : {Phase::steps, Phase::evaluation, Phase::checkpoints, Phase::profiling}) {
        other += of(phase)[profile::Stage::other];
    }
    return other;
}

std::vector<std::string> RunAccount::lines(const std::string& start_parts) const {
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < kPhases; ++i) {
        const auto phase = static_cast<Phase>(i);
        const double seconds = phases_[i].total();
        if (seconds > 0.0) {
            std::string parts = phase == Phase::start ? start_parts : "";
            if (phase != Phase::start && phase != Phase::end) {
                parts = stages_text(phases_[i]);
            }
            lines.push_back(fmt::format("{} {:.1f} % ({:.2f} s){}{}", kPhaseNames[i], 100.0 * share(seconds, total()),
                                        seconds, parts.empty() ? "" : ": ", parts));
        }
    }
    if (!lines.empty()) {
        lines.push_back(fmt::format("beside the loop, input threads read for {:.2f} s and transformed for {:.2f} s",
                                    input_read_, input_preprocess_));
    }
    if (const double seconds = beside_device_.total(); seconds > 0.0) {
        lines.push_back(fmt::format("beside the busy device, the loop worked for {:.2f} s: {}", seconds,
                                    stages_text(beside_device_)));
    }
    return lines;
}

}  // namespace sluice::run
