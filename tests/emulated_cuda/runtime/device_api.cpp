// The emulated devices, with the figures of an H200 except for its memory. Environment variables change the figures:
//
//   SLUICE_EMULATED_CUDA_DRIVER      the newest CUDA that the driver runs, as 12040; 0: there is no driver
//   SLUICE_EMULATED_CUDA_DEVICES     number of devices
//   SLUICE_EMULATED_CUDA_CAPABILITY  compute capability, as 75
//   SLUICE_EMULATED_CUDA_MODE        compute mode
//   SLUICE_EMULATED_CUDA_OPENING     code with which opening a device fails
//   SLUICE_EMULATED_CUDA_BUS         number of the PCI bus
#include <cstdio>
#include <cstring>

#include "figures.hpp"
#include "machine.hpp"

using emulated::entry;
using emulated::fail;
using emulated::figure;
using emulated::Machine;

namespace {

int driver_version() { return figure("DRIVER", CUDART_VERSION); }

void expect_device(int device) {
    if (device < 0 || device >= figure("DEVICES", 1)) {
        fail(cudaErrorInvalidDevice, "there is no device number " + std::to_string(device));
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
            return figure("MODE", cudaComputeModeDefault);
        case cudaDevAttrComputeCapabilityMajor:
            return figure("CAPABILITY", 90) / 10;
        case cudaDevAttrComputeCapabilityMinor:
            return figure("CAPABILITY", 90) % 10;
    }
    fail(cudaErrorInvalidValue, "an attribute that is not emulated");
}

}  // namespace

cudaError_t cudaGetDeviceCount(int* count) {
    return entry([&](Machine&) {
        if (driver_version() / 1000 < CUDART_VERSION / 1000) {
            fail(cudaErrorInsufficientDriver, "the driver is older than the runtime");
        }
        if (figure("DEVICES", 1) == 0) {
            fail(cudaErrorNoDevice, "there is no device");
        }
        *count = figure("DEVICES", 1);
    });
}

cudaError_t cudaSetDevice(int device) {
    return entry([&](Machine& gpu) {
        expect_device(device);
        if (const int code = figure("OPENING", cudaSuccess); code != cudaSuccess) {
            fail(static_cast<cudaError_t>(code), "a test makes opening the device fail");
        }
        gpu.devices[std::this_thread::get_id()] = device;
    });
}

cudaError_t cudaGetDevice(int* device) {
    return entry([&](Machine& gpu) { *device = gpu.device(); });
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
        expect_device(device);
        // No real machine has a GPU on bus 0.
        if (std::snprintf(text, static_cast<std::size_t>(most), "0000:%02x:00.0", figure("BUS", 0) & 0xFF) >= most) {
            fail(cudaErrorInvalidValue, "no room for the PCI bus id");
        }
    });
}

cudaError_t cudaDeviceSynchronize() {
    return entry([&](Machine& gpu) {
        gpu.forbid_while_capturing("waiting for the device");
        gpu.run([&] { gpu.streams.run_everything(gpu.device()); });
    });
}

cudaError_t cudaDriverGetVersion(int* version) {
    *version = driver_version();
    return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int* version) {
    *version = CUDART_VERSION;
    return cudaSuccess;
}
