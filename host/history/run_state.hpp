// Decides whether a run is alive, and how it ended.
#pragma once

#include <string>

#include "history/run_history.hpp"

namespace sluice::history {

enum class RunState { starting, running, finished, interrupted, diverged, failed, killed };

const char* name_of(RunState state);

// `is_alive`: a process holds the run's folder.
RunState state_of(const RunHistory& history, bool is_alive);

}  // namespace sluice::history
