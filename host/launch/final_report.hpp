// What the launcher logs after its processes have left. Private to this folder.
#pragma once

#include <string>

#include "launch/processes.hpp"

namespace sluice::launch {

// Each error once. The first process logs its own, which mpirun forwards unless it was killed.
void log_errors(const Processes& processes, bool was_mpirun_killed);
// Unless an error names it, or there is none. `is_any_lost`: else the processes were asked to stop.
void log_last_checkpoint(const Processes& processes, const std::string& file, bool is_any_lost);

}  // namespace sluice::launch
