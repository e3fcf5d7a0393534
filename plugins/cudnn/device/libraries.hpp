// Lists the installed NVIDIA libraries, whether or not there is a GPU.
#pragma once

#include <vector>

#include "sluice/sdk/libraries.hpp"

namespace sluice::cudnn {

// Lists cuDNN, CUDA's runtime, the newest CUDA that the driver runs, and NCCL. Missing ones are omitted.
std::vector<sdk::Library> list_libraries();

}  // namespace sluice::cudnn
