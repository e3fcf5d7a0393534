#include "described_gpu.hpp"

#include <span>
#include <utility>

namespace sluice::cudnn {
namespace {

// Properties that both GPUs have.
constexpr const char* kCommon = R"("maxGridSize": [2147483647, 65535, 65535], "maxBlockSize": [1024, 1024, 64],
    "regsPerBlock": 65536, "warpSize": 32, "maxSharedMemoryPerBlock": 49152, "reservedSharedMemoryPerBlock": 1024,
    "maxRegistersPerSM": 65536, "maxCtasPerSM": 32, "maxThreadsPerBlock": 1024, "maxThreadsPerSM": 2048,
    "pciDeviceId": 0, "isTccDriver": 0, "supportCoopLaunch": 1, "cudaDeviceId": 0, "driverVer": 13000, )";

}  // namespace

DescribedGpu::DescribedGpu(std::string name, const std::string& properties)
    : name_(std::move(name)), properties_(CUDNN_BACKEND_DEVICEPROP_DESCRIPTOR) {
    const std::string json = "{" + std::string(kCommon) + properties + R"(, "deviceName": ")" + name_ + "\"}";
    properties_.set(CUDNN_ATTR_DEVICEPROP_JSON_REPRESENTATION, CUDNN_TYPE_CHAR, std::span<const char>(json))
        .finalize("the GPU " + name_);
}

DescribedGpu DescribedGpu::h200() {
    return {"NVIDIA H200", R"("deviceVer": 900, "multiProcessorCount": 132, "maxSharedMemoryPerBlockOptin": 232448,
        "totalGlobalMem": 150754820096, "smClockRateKHz": 1980000, "memClockRateKHz": 3201000,
        "l2CacheSize": 62914560)"};
}

DescribedGpu DescribedGpu::a100() {
    return {"NVIDIA A100-SXM4-80GB", R"("deviceVer": 800, "multiProcessorCount": 108,
        "maxSharedMemoryPerBlockOptin": 166912, "totalGlobalMem": 85094825984, "smClockRateKHz": 1410000,
        "memClockRateKHz": 1593000, "l2CacheSize": 41943040)"};
}

}  // namespace sluice::cudnn
