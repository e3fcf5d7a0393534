// The one device: the figures of an H200, except for its memory.
#include <cstring>

#include "machine.hpp"

using emulated::entry;
using emulated::fail;
using emulated::Machine;

namespace {

constexpr int kVersion = 13000;  // of runtime and driver

void expect_device(int device) {
    if (device != 0) {
        fail(cudaErrorInvalidDevice, "there is one device, number 0; asked for number " + std::to_string(device));
    }
}

int value_of(cudaDeviceAttr attribute) {
    switch (attribute) {
        case cudaDevAttrMaxThreadsPerBlock:
            return 1024;
        case cudaDevAttrWarpSize:
            return 32;
        case cudaDevAttrMultiProcessorCount:
            return 132;
        case cudaDevAttrComputeMode:
            return cudaComputeModeDefault;
        case cudaDevAttrComputeCapabilityMajor:
            return 9;
        case cudaDevAttrComputeCapabilityMinor:
            return 0;
    }
    fail(cudaErrorInvalidValue, "an attribute that is not emulated");
}

}  // namespace

cudaError_t cudaGetDeviceCount(int* count) {
    return entry([&](Machine&) { *count = 1; });
}

cudaError_t cudaSetDevice(int device) {
    return entry([&](Machine&) { expect_device(device); });
}

cudaError_t cudaGetDevice(int* device) {
    return entry([&](Machine&) { *device = 0; });
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
    return entry([&](Machine& gpu) {
        expect_device(device);
        *properties = {};
        std::strcpy(properties->name, "Emulated GPU");
        properties->totalGlobalMem = gpu.memory.total();
        properties->sharedMemPerBlock = std::size_t{48} << 10;
        properties->major = value_of(cudaDevAttrComputeCapabilityMajor);
        properties->minor = value_of(cudaDevAttrComputeCapabilityMinor);
        properties->multiProcessorCount = value_of(cudaDevAttrMultiProcessorCount);
        properties->warpSize = value_of(cudaDevAttrWarpSize);
        properties->maxThreadsPerBlock = value_of(cudaDevAttrMaxThreadsPerBlock);
        properties->l2CacheSize = 50 << 20;
    });
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
    return entry([&](Machine&) {
        expect_device(device);
        *value = value_of(attribute);
    });
}

cudaError_t cudaDeviceGetPCIBusId(char* text, int most, int device) {
    return entry([&](Machine&) {
        constexpr const char* kPlace = "0000:00:00.0";  // where no bus has a GPU
        expect_device(device);
        if (most <= static_cast<int>(std::strlen(kPlace))) {
            fail(cudaErrorInvalidValue, "no room for the place on the bus");
        }
        std::strcpy(text, kPlace);
    });
}

cudaError_t cudaDeviceSynchronize() {
    return entry([&](Machine& gpu) {
        gpu.forbid_while_recording("waiting for the device");
        gpu.run([&] { gpu.streams.run_everything(); });
    });
}

cudaError_t cudaDriverGetVersion(int* version) {
    *version = kVersion;
    return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int* version) {
    *version = kVersion;
    return cudaSuccess;
}
