#include "history/advice.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/control.hpp"
#include "base/program_name.hpp"

namespace sluice::history {

std::string advice_on(const std::filesystem::path& run, RunState state) {
    const std::string folder = shown(run.string());
    switch (state) {
        case RunState::killed:
        case RunState::interrupted:
            return "Continue this run: " + typed("resume " + folder);
        case RunState::starting:
        case RunState::running:
            return "See where the time of the next steps goes: " + typed(fmt::format("profile {} --steps 5", folder));
        case RunState::finished:
            return "Measure the best weights: " +
                   typed(fmt::format("evaluate {}/checkpoints/best.safetensors", folder));
        default:
            return "The last lines of the log say why: " + shown((run / "log.txt").string());
    }
}

std::string advice_on(const std::vector<RunSummary>& runs) {
    const auto stopped = std::ranges::find_if(runs, [](const RunSummary& run) {
        return run.state == RunState::killed || run.state == RunState::interrupted;
    });
    if (stopped != runs.end()) {
        return fmt::format("{} continues a run that was {}",
                           typed(fmt::format("resume {}", shown(stopped->folder.string()))), name_of(stopped->state));
    }
    const auto alive = std::ranges::find(runs, RunState::running, &RunSummary::state);
    if (alive != runs.end()) {
        return fmt::format("{} shows where its time goes",
                           typed(fmt::format("profile {} --steps 5", shown(alive->folder.string()))));
    }
    return {};
}

}  // namespace sluice::history
