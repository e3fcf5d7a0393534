// Turns status codes of the CUDA runtime into exceptions of the SDK.
#pragma once

#include <cuda_runtime.h>

#include <string>

#include "sluice/sdk/cuda_status.hpp"
#include "sluice/sdk/guard.hpp"

namespace sluice::nccl {

// `action` opens the message: "making a stream".
inline void check(cudaError_t status, const char* action) {
    if (status != cudaSuccess) {
        cudaGetLastError();  // so that the next call does not return the error again, unless it is sticky
        throw sdk::Failure(sdk::meaning_of(status), std::string(action) + ": CUDA says " + cudaGetErrorName(status) +
                                                        ", " + cudaGetErrorString(status));
    }
}

}  // namespace sluice::nccl
