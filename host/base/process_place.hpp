// The place of this process in its MPI job, as a launcher such as mpirun or srun sets it. Without a launcher, the job
// has one process of rank 0.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace sluice {

struct ProcessPlace {
    int rank = 0;
    int count = 1;             // processes in the job
    int local_rank = 0;        // rank among the processes on this machine
    int local_count = 1;       // processes on this machine, including this one
    std::optional<int> cores;  // of this machine, for all its processes; nullopt if the launcher does not set them
};

[[nodiscard]] const ProcessPlace& process_place();

// True if a launcher started the process with this environment ("A=1", "B=2").
[[nodiscard]] bool is_started_by_launcher(const std::vector<std::string>& environment);

// Returns the number of tasks on `machine`. The text "2(x3),1" means 2 tasks on each of the first three machines and 1
// on the fourth. Returns 1 if the text does not cover `machine`.
[[nodiscard]] int tasks_on(const std::string& text, int machine);

}  // namespace sluice
