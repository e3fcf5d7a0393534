// What the launcher of an MPI job, such as mpirun or srun, has told this process of itself. One that was started by
// itself is the first of one.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace sluice {

struct Job {
    int number = 0;            // of this process
    int count = 1;             // of all
    int local = 0;             // number among those on this machine
    int beside = 1;            // on this machine, with this one
    std::optional<int> cores;  // of this machine, for all of them; nothing where the launcher has not told
};

[[nodiscard]] const Job& job();

// Whether a process with this environment ("A=1", "B=2") is one of those that a launcher has started.
[[nodiscard]] bool is_of_job(const std::vector<std::string>& environment);

// Of "2(x3),1": two on each of the first three machines, one on the fourth. 1 where the text says nothing of `machine`.
[[nodiscard]] int tasks_on(const std::string& text, int machine);

}  // namespace sluice
