// Starts the processes of a training by mpirun and supervises them. If one is lost, the launcher reports it to the
// others, which save and exit.
#pragma once

#include "launch/launch_request.hpp"

namespace sluice::launch {

// Returns when all processes have exited:
// - 0, or the exit code of the first process that failed,
// - Exit::replica_lost if a process was lost or did not join, or if mpirun was killed,
// - Exit::config if mpirun failed before any process joined,
// - 128 plus the signal's number if a signal asked to stop. All processes get that signal. The second Ctrl-C or SIGTERM
//   kills them at once.
// Throws Error(Exit::config) if mpirun cannot be started, and Error(Exit::device) if a limit leaves too few threads.
int run(const LaunchRequest& request);

}  // namespace sluice::launch
