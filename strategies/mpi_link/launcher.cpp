#include "mpi_link/launcher.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace sluice::mpi {

bool is_launched() {
    // Open MPI and MPICH's mpirun; srun with PMIx and with PMI.
    static constexpr std::array kSigns{"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK", "PMI_RANK"};
    return std::ranges::any_of(kSigns, [](const char* name) { return std::getenv(name) != nullptr; });
}

int unconnected_processes() {
    const char* const tasks = std::getenv("SLURM_STEP_NUM_TASKS");
    return tasks == nullptr || is_launched() ? 1 : std::atoi(tasks);
}

}  // namespace sluice::mpi
