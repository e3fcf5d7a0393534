// Finds the GPUs of this machine with CUDA, and opens one of them.
#pragma once

#include "device/availability.hpp"

namespace sluice::cudnn {

// Does not throw if something is missing; no_gpu_reason() explains it.
[[nodiscard]] Findings find_gpus();
// Opens usable GPU `index`, from 0, and makes it the current one of the calling thread. Throws sdk::Failure with the
// reason in one sentence.
[[nodiscard]] FoundGpu open_gpu(std::uint32_t index);

}  // namespace sluice::cudnn
