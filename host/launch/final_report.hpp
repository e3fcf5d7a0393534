// The launcher's log after its processes have exited. Private to this folder.
#pragma once

#include <cstddef>
#include <string>

#include "launch/mpirun.hpp"
#include "launch/processes.hpp"

namespace sluice::launch {

// Logs each error once. Rank 0 logs its own error, and mpirun forwards that unless mpirun was killed.
void log_errors(const Processes& processes, bool was_mpirun_killed);
// Logs the last checkpoint if it exists and no error names it. If `is_any_lost` is false, the processes were asked to
// stop.
void log_last_checkpoint(const Processes& processes, const std::string& file, bool is_any_lost);

// Logs that mpirun exited before its processes had joined, and returns the exit code. If mpirun started no process, its
// input is wrong: the hosts, the way to them, or the program there. `hosts`: "" or " (--host A,B)".
int log_why_not_started(const Mpirun::End& end, bool has_any_joined, std::size_t processes, const std::string& hosts);

}  // namespace sluice::launch
