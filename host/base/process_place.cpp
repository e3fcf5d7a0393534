#include "base/process_place.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <initializer_list>
#include <sstream>

namespace sluice {
namespace {

// Launchers set the rank of a process in one of these: mpirun of Open MPI, srun with PMIx, mpirun of MPICH or srun with
// PMI.
constexpr std::array kRankVariables{"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"};

// Returns the value of the first of these variables that holds a number of at least 0.
std::optional<int> number_of(std::initializer_list<const char*> names) {
    for (const char* const name : names) {
        const char* const text = std::getenv(name);
        int number = 0;
        if (text != nullptr && std::istringstream(text) >> number && number >= 0) {
            return number;
        }
    }
    return std::nullopt;
}

// mpirun within a Slurm allocation passes Slurm's variables on, but they then describe another program.
bool is_slurm_step() {
    return std::getenv("OMPI_COMM_WORLD_RANK") == nullptr && std::getenv("MPI_LOCALNRANKS") == nullptr &&
           (std::getenv("PMIX_RANK") != nullptr || std::getenv("PMI_RANK") != nullptr) &&
           std::getenv("SLURM_STEP_ID") != nullptr;
}

ProcessPlace read_place() {
    ProcessPlace place{
        .rank = number_of({kRankVariables[0], kRankVariables[1], kRankVariables[2]}).value_or(0),
        .count = number_of({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}).value_or(1),
        .local_rank = number_of({"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID"}).value_or(0),
        .local_count = std::max(number_of({"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS"}).value_or(1), 1),
        .cores = {}};
    if (is_slurm_step()) {
        const char* const tasks = std::getenv("SLURM_STEP_TASKS_PER_NODE");
        place.count = number_of({"SLURM_STEP_NUM_TASKS"}).value_or(place.count);
        place.local_rank = number_of({"SLURM_LOCALID"}).value_or(place.local_rank);
        place.local_count = tasks_on(tasks != nullptr ? tasks : "", number_of({"SLURM_NODEID"}).value_or(0));
        place.cores = number_of({"SLURM_CPUS_ON_NODE"});
    }
    return place;
}

}  // namespace

const ProcessPlace& process_place() {
    static const ProcessPlace place = read_place();
    return place;
}

bool is_started_by_launcher(const std::vector<std::string>& environment) {
    return std::ranges::any_of(environment, [](const std::string& variable) {
        return std::ranges::any_of(kRankVariables,
                                   [&](const char* name) { return variable.starts_with(std::string(name) + "="); });
    });
}

int tasks_on(const std::string& text, int machine) {
    std::istringstream in(text);
    for (std::string part; std::getline(in, part, ',');) {
        int tasks = 0;
        int times = 1;
        char letter = 0;
        std::istringstream numbers(part);
        if (!(numbers >> tasks) || tasks < 1) {
            return 1;
        }
        numbers >> letter >> letter >> times;  // reads "(x3)"
        if (machine < times) {
            return tasks;
        }
        machine -= times;
    }
    return 1;
}

}  // namespace sluice
