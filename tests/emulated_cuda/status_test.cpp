// Tests how the plugin converts CUDA's codes to statuses.
#include "cuda/status.hpp"

#include <gtest/gtest.h>

namespace sluice::cudnn {
namespace {

sdk::Failure failure_of(cudaError_t status) {
    try {
        check(status, "copying 64 bytes");
    } catch (const sdk::Failure& failure) {
        return failure;
    }
    return {SLUICE_OK, "nothing was thrown"};
}

TEST(Status, tells_what_the_host_does_about_it) {
    EXPECT_EQ(failure_of(cudaErrorMemoryAllocation).status(), SLUICE_NO_MEMORY);
    EXPECT_EQ(failure_of(cudaErrorLaunchFailure).status(), SLUICE_FAILED);
    for (const cudaError_t lost : {cudaErrorECCUncorrectable, cudaErrorNvlinkUncorrectable, cudaErrorUnknown}) {
        EXPECT_EQ(failure_of(lost).status(), SLUICE_DEVICE_LOST) << lost;
    }
    EXPECT_EQ(std::string(failure_of(cudaErrorECCUncorrectable).what()),
              "copying 64 bytes: CUDA says cudaErrorECCUncorrectable, memory of the device has lost bits");
}

}  // namespace
}  // namespace sluice::cudnn
