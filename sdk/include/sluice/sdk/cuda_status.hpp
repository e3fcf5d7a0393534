// Converts an error of the CUDA runtime into a status. For plugins that include the CUDA toolkit.
#pragma once

#include <cuda_runtime.h>

#include "sluice/abi.h"

namespace sluice::sdk {

// `status` is not cudaSuccess.
inline sluice_status meaning_of(cudaError_t status) {
    switch (status) {
        case cudaErrorMemoryAllocation:
            return SLUICE_NO_MEMORY;
        case cudaErrorECCUncorrectable:
        case cudaErrorNvlinkUncorrectable:
        case cudaErrorUnknown:  // such as a GPU that has fallen off the bus
            return SLUICE_DEVICE_LOST;
        default:
            return SLUICE_FAILED;
    }
}

}  // namespace sluice::sdk
