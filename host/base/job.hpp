// What the launcher of an MPI job, such as mpirun or srun, has told this process of itself. One that was started by
// itself is the first of one.
#pragma once

namespace sluice {

struct Job {
    int number = 0;  // of this process
    int count = 1;   // of all
    int local = 0;   // number among those on this machine
    int beside = 1;  // on this machine and on the same cores; 1 where the launcher gives each its own (srun)
};

[[nodiscard]] const Job& job();

}  // namespace sluice
