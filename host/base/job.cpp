#include "base/job.hpp"

#include <cstdlib>
#include <initializer_list>
#include <sstream>

namespace sluice {
namespace {

// The number that the first of these variables holds which is set; `otherwise` where none is.
int number_of(std::initializer_list<const char*> names, int otherwise) {
    for (const char* const name : names) {
        const char* const text = std::getenv(name);
        int number = 0;
        if (text != nullptr && std::istringstream(text) >> number && number >= 0) {
            return number;
        }
    }
    return otherwise;
}

Job read_job() {
    const bool is_slurm_step = std::getenv("PMIX_RANK") != nullptr || std::getenv("PMI_RANK") != nullptr;
    return {
        .number = number_of({"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"}, 0),
        .count = number_of({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", is_slurm_step ? "SLURM_STEP_NUM_TASKS" : ""}, 1),
        .local = number_of({"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", is_slurm_step ? "SLURM_LOCALID" : ""}, 0),
        .beside = number_of({"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS"}, 1)};
}

}  // namespace

const Job& job() {
    static const Job told = read_job();
    return told;
}

}  // namespace sluice
