// Status codes of the CUDA runtime become exceptions of the SDK.
#pragma once

#include <cuda_runtime.h>

#include <string>

#include "sluice/sdk/guard.hpp"

namespace sluice::cudnn {

// `action` opens the message: "copying 64 bytes".
inline void check(cudaError_t status, const std::string& action) {
    if (status == cudaSuccess) {
        return;
    }
    cudaGetLastError();  // an error that is not sticky does not show again
    const bool is_memory = status == cudaErrorMemoryAllocation;
    throw sdk::Failure(is_memory ? SLUICE_NO_MEMORY : SLUICE_FAILED,
                       action + ": CUDA says " + cudaGetErrorName(status) + ", " + cudaGetErrorString(status));
}

}  // namespace sluice::cudnn
