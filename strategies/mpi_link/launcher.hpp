// Whether this process was started with others, by mpirun, srun or another launcher of MPI programs.
#pragma once

namespace sluice::mpi {

[[nodiscard]] bool is_launched();

// Processes that srun has started with this one, where none can find another: it was not told that they use MPI. 1:
// none.
[[nodiscard]] int strangers();

}  // namespace sluice::mpi
