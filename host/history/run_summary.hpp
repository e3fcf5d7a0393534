// One line of a table of runs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "history/run_history.hpp"
#include "history/run_state.hpp"

namespace sluice::history {

struct RunSummary {
    std::filesystem::path folder;
    std::string name{};  // the folder's path below the folder of runs
    RunState state = RunState::starting;
    std::int64_t step = 0;
    std::int64_t last_step = 0;  // 0: not known
    std::int64_t epoch = 0;
    std::int64_t epochs = 0;  // 0: not known
    double seconds = 0.0;     // that the run took, without pauses
    double samples_per_second = 0.0;
    std::optional<BestScore> best{};
    double loss = 0.0;      // of the last step with an event; NaN: none
    std::string limit{};    // "computes 93 %"; empty: not known
    double age = 0.0;       // seconds since the run wrote its last event; infinite: not known
    std::string problem{};  // why the run cannot be read; empty: it can
};

// True if the folder has the files of a run.
bool is_run(const std::filesystem::path& folder);

// Reads the events of a run, but only a sample of those of its steps, so that hundreds of runs take less than a second.
// An unreadable run has a problem.
RunSummary summarize(const std::filesystem::path& run);

// Summarizes the runs in `folder` and in its subfolders, the youngest first; `folder` may itself be a run. Throws
// Error(Exit::config) if it is no readable folder.
std::vector<RunSummary> list_runs(const std::filesystem::path& folder);

}  // namespace sluice::history
