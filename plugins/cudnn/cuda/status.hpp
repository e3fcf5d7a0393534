// Status codes of the CUDA runtime become exceptions of the SDK.
#pragma once

#include <cuda_runtime.h>

#include <string>

#include "sluice/sdk/guard.hpp"

namespace sluice::cudnn {

// While a stream of this thread is recorded: what CUDA refused to record first; else empty.
inline std::string& unrecorded_action() {
    thread_local std::string action;
    return action;
}

// `action` opens the message: "copying 64 bytes".
inline void check(cudaError_t status, const std::string& action) {
    if (status == cudaSuccess) {
        return;
    }
    cudaGetLastError();  // an error that is not sticky does not show again
    const bool is_memory = status == cudaErrorMemoryAllocation;
    const std::string message = action + ": CUDA says " + cudaGetErrorName(status) + ", " + cudaGetErrorString(status);
    const bool is_of_recording =
        status >= cudaErrorStreamCaptureUnsupported && status <= cudaErrorStreamCaptureWrongThread;
    if (is_of_recording && unrecorded_action().empty()) {
        unrecorded_action() = message;
    }
    throw sdk::Failure(is_memory ? SLUICE_NO_MEMORY : SLUICE_FAILED, message);
}

}  // namespace sluice::cudnn
