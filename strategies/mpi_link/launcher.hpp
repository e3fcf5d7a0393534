// Finds out whether an MPI launcher, such as mpirun or srun, started this process with others.
#pragma once

namespace sluice::mpi {

[[nodiscard]] bool is_launched();

// Number of processes if srun started several without MPI support, so that they cannot find each other; otherwise 1.
[[nodiscard]] int unconnected_processes();

}  // namespace sluice::mpi
