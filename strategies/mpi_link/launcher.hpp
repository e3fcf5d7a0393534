// Whether this process was started with others, by mpirun, srun or another launcher of MPI programs.
#pragma once

namespace sluice::mpi {

[[nodiscard]] bool is_launched();

}  // namespace sluice::mpi
