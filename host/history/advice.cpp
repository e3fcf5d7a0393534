#include "history/advice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <system_error>

#include "base/control.hpp"
#include "base/program_name.hpp"
#include "base/text/shell_quoted.hpp"

namespace sluice::history {
namespace {

namespace fs = std::filesystem;

constexpr const char* kBest = "checkpoints/best.safetensors";

std::string word(const RunSummary& run) { return shell_quoted(shown(run.folder.string())); }

}  // namespace

std::string advice_on(const std::filesystem::path& run, RunState state) {
    std::error_code ignored;
    const std::string folder = shell_quoted(shown(run.string()));
    switch (state) {
        case RunState::killed:
        case RunState::interrupted:
            return "Continue this run: " + typed("resume " + folder);
        case RunState::starting:
        case RunState::running:
            return "See where the time of the next steps goes: " + typed(fmt::format("profile {} --steps 5", folder));
        case RunState::finished:
            return fs::exists(run / kBest, ignored)
                       ? "Measure the best weights: " + typed("evaluate " + shell_quoted(shown((run / kBest).string())))
                       : "Train on: " + typed(fmt::format("resume {} --set train.epochs=N", folder));
        default:
            return "The last lines of the log say why: " + shown((run / "log.txt").string());
    }
}

std::string advice_on(const std::vector<RunSummary>& runs) {
    const auto stopped = std::ranges::find_if(runs, [](const RunSummary& run) {
        return run.state == RunState::killed || run.state == RunState::interrupted;
    });
    if (stopped != runs.end()) {
        return fmt::format("{} continues a run that was {}", typed(fmt::format("resume {}", word(*stopped))),
                           name_of(stopped->state));
    }
    const auto alive = std::ranges::find(runs, RunState::running, &RunSummary::state);
    if (alive != runs.end()) {
        return fmt::format("{} shows where its time goes", typed(fmt::format("profile {} --steps 5", word(*alive))));
    }
    std::vector<RunSummary> finished;
    std::ranges::copy_if(runs, std::back_inserter(finished),
                         [](const RunSummary& run) { return run.state == RunState::finished; });
    if (finished.size() >= 2) {
        return fmt::format("{} shows what differs between the last two runs",
                           typed(fmt::format("compare {} {}", word(finished[1]), word(finished[0]))));
    }
    return finished.empty() ? "" : advice_on(finished.front().folder, RunState::finished);
}

}  // namespace sluice::history
