// The GPUs of this machine, asked for with CUDA, and one of them opened.
#pragma once

#include "device/availability.hpp"

namespace sluice::cudnn {

// Never throws for what is missing: why_none() tells it.
[[nodiscard]] Findings find_gpus();
// CUDA's number of usable GPU `index`, from 0. The calling thread works on it from now on. Throws sdk::Failure with
// the reason in a sentence.
[[nodiscard]] FoundGpu open_gpu(std::uint32_t index);

}  // namespace sluice::cudnn
