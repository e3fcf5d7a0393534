// Starts the processes of a training by mpirun and supervises them. If one is lost, the launcher reports it to the
// others, which save and exit.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace sluice::launch {

struct Job {
    int processes = 1;
    std::vector<std::string> command;         // command line of each process
    std::vector<std::string> mpirun_options;  // such as {"--hostfile", "nodes"}
    std::optional<double> timeout;            // seconds for processes to join; nothing: the defaults of Rendezvous
};

// Returns when all processes have exited:
// - 0, or the exit code of the first process that failed,
// - Exit::replica_lost if a process was lost or did not join, or if mpirun was killed,
// - Exit::config if mpirun failed before any process joined,
// - 128 plus the signal's number if a signal asked to stop. All processes get that signal. The second Ctrl-C or SIGTERM
//   kills them at once.
// Throws Error(Exit::config) if mpirun cannot be started, and Error(Exit::device) if a limit leaves too few threads.
int run(const Job& job);

}  // namespace sluice::launch
