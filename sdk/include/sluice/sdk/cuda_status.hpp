// What the host does about an error of the CUDA runtime. For plugins that include the CUDA toolkit.
#pragma once

#include <cuda_runtime.h>

#include "sluice/abi.h"

namespace sluice::sdk {

// status: any but cudaSuccess.
inline sluice_status meaning_of(cudaError_t status) {
    switch (status) {
        case cudaErrorMemoryAllocation:
            return SLUICE_NO_MEMORY;
        case cudaErrorECCUncorrectable:
        case cudaErrorNvlinkUncorrectable:
        case cudaErrorUnknown:  // as of a GPU that has left the bus
            return SLUICE_DEVICE_LOST;
        default:
            return SLUICE_FAILED;
    }
}

}  // namespace sluice::sdk
