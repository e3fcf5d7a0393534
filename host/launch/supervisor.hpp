// Starts the processes of a training by mpirun, and stays with them: who is lost is named to the others, which save and
// leave.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace sluice::launch {

struct Job {
    int processes = 1;
    std::vector<std::string> command;         // of each process
    std::vector<std::string> mpirun_options;  // such as {"--hostfile", "nodes"}
    std::optional<double> patience;           // seconds for all to come; nothing: as long as is usual
};

// Returns when all have left: 0, or the exit code of the first that has failed; Exit::worker_lost where one was lost or
// has not come, or mpirun was killed; Exit::config where mpirun has failed before any came. Signals
// that ask to stop are handed on to all processes, and 128 and their number is returned; the second Ctrl-C or SIGTERM
// ends all at once. Throws Error(Exit::config) if mpirun cannot be started, and
// Error(Exit::device) if a limit leaves too few threads.
int run(const Job& job);

}  // namespace sluice::launch
