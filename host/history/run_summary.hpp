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
    std::int64_t last_step = 0;  // 0 if unknown
    std::int64_t epoch = 0;
    std::int64_t epochs = 0;  // 0 if unknown
    double seconds = 0.0;     // training time; pauses between stop and resume do not count
    double samples_per_second = 0.0;
    std::optional<BestScore> best{};
    double loss = 0.0;      // training loss at the last event; NaN if there is none
    std::string limit{};    // for example "computes 93 %"; empty if unknown
    double age = 0.0;       // seconds since the last event was written; infinite if unknown
    std::string problem{};  // the reason if the run cannot be read, else empty
};

// True if the folder has the files of a run.
bool is_run(const std::filesystem::path& folder);
// Throws Error(Exit::config) if it has not.
void check_run(const std::filesystem::path& folder);

// Seconds since the file was written; infinite if unknown.
double age_of(const std::filesystem::path& file);

// Reads the events of a run, but only a sample of those of its steps, so that hundreds of runs take less than a second.
// If the run cannot be read, RunSummary::problem says why.
RunSummary summarize(const std::filesystem::path& run);

// Returns the runs in `folder` and in its subfolders; `folder` may itself be a run. Symbolic links are not followed.
// Throws Error(Exit::config) if it is no readable folder.
std::vector<std::filesystem::path> find_runs(const std::filesystem::path& folder);

// Returns the path of the run below the folder of runs, which is its name.
std::string name_in(const std::filesystem::path& run, const std::filesystem::path& folder);

// Puts the youngest run first.
void sort_by_age(std::vector<RunSummary>& runs);

// Summarizes the runs that find_runs() returns, the youngest first.
std::vector<RunSummary> list_runs(const std::filesystem::path& folder);

}  // namespace sluice::history
