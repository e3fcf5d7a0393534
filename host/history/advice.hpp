// Suggests the next command for runs.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "history/run_state.hpp"
#include "history/run_summary.hpp"

namespace sluice::history {

// Returns a sentence with the next command for this run.
std::string advice_on(const std::filesystem::path& run, RunState state);

// Returns the same for the youngest run that needs something; empty: none does.
std::string advice_on(const std::vector<RunSummary>& runs);

}  // namespace sluice::history
