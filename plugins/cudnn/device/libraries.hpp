// What is installed of NVIDIA's libraries, whether or not there is a GPU.
#pragma once

#include <vector>

#include "sluice/sdk/libraries.hpp"

namespace sluice::cudnn {

// cuDNN, CUDA's runtime, the newest CUDA that the driver runs, and NCCL; without those that are not there.
std::vector<sdk::Library> list_libraries();

}  // namespace sluice::cudnn
