// Finds processes of the job on this machine, by what its kernel reports.
#pragma once

#include <string>

namespace sluice::mpi {

// Names the processes that are stopped or missing: "process 1 (pid 4711) on this machine is stopped or defunct". If
// there are none, returns a hint where to look.
[[nodiscard]] std::string missing_processes();

}  // namespace sluice::mpi
