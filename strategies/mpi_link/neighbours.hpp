// The processes of the job on this machine, as far as its kernel tells of them.
#pragma once

#include <string>

namespace sluice::mpi {

// Which of them stand still or are gone: "process 1 (pid 4711) on this machine stands still". Says where to look
// otherwise.
[[nodiscard]] std::string missing_neighbours();

}  // namespace sluice::mpi
