// cudaGetLastError and related functions.
#include <array>

#include "machine.hpp"

namespace {

struct Name {
    cudaError_t code;
    const char* name;
    const char* text;
};

#define SLUICE_CODE(code, text) \
    Name { code, #code, text }
constexpr std::array kNames{
    SLUICE_CODE(cudaSuccess, "no error"),
    SLUICE_CODE(cudaErrorInvalidValue, "an argument is not valid"),
    SLUICE_CODE(cudaErrorMemoryAllocation, "out of memory"),
    SLUICE_CODE(cudaErrorInitializationError, "CUDA could not be started"),
    SLUICE_CODE(cudaErrorInvalidConfiguration, "a kernel cannot be launched in this shape"),
    SLUICE_CODE(cudaErrorInvalidMemcpyDirection, "a copy is not of the given kind"),
    SLUICE_CODE(cudaErrorInsufficientDriver, "the driver is older than the runtime"),
    SLUICE_CODE(cudaErrorDevicesUnavailable, "the devices are busy or may not be used"),
    SLUICE_CODE(cudaErrorNoDevice, "there is no device"),
    SLUICE_CODE(cudaErrorInvalidDevice, "there is no device of this number"),
    SLUICE_CODE(cudaErrorECCUncorrectable, "memory of the device has lost bits"),
    SLUICE_CODE(cudaErrorNvlinkUncorrectable, "the link between devices has lost bits"),
    SLUICE_CODE(cudaErrorInvalidResourceHandle, "a stream or event is not valid"),
    SLUICE_CODE(cudaErrorNotReady, "not finished yet"),
    SLUICE_CODE(cudaErrorIllegalAddress, "memory was touched that must not be"),
    SLUICE_CODE(cudaErrorMisalignedAddress, "an address is not aligned"),
    SLUICE_CODE(cudaErrorLaunchFailure, "a kernel failed"),
    SLUICE_CODE(cudaErrorNotSupported, "not supported"),
    SLUICE_CODE(cudaErrorStreamCaptureUnsupported, "cannot be done while a stream is captured"),
    SLUICE_CODE(cudaErrorStreamCaptureInvalidated, "the capture was broken before"),
    SLUICE_CODE(cudaErrorStreamCaptureMerge, "two captures would become one"),
    SLUICE_CODE(cudaErrorStreamCaptureUnmatched, "the capture was not begun on this stream"),
    SLUICE_CODE(cudaErrorStreamCaptureUnjoined, "a stream of the capture was not waited for"),
    SLUICE_CODE(cudaErrorStreamCaptureIsolation, "a capture would wait for work outside of it"),
    SLUICE_CODE(cudaErrorCapturedEvent, "the event is part of a capture"),
    SLUICE_CODE(cudaErrorStreamCaptureWrongThread, "another thread has begun the capture"),
    SLUICE_CODE(cudaErrorUnknown, "an unknown error"),
};
#undef SLUICE_CODE

const Name& name_of(cudaError_t code) {
    static constexpr Name kUnknown{cudaErrorUnknown, "unrecognized error code", "an unknown code"};
    for (const Name& name : kNames) {
        if (name.code == code) {
            return name;
        }
    }
    return kUnknown;
}

}  // namespace

cudaError_t cudaPeekAtLastError() {
    emulated::Machine& gpu = emulated::machine();
    const std::lock_guard lock(gpu.mutex);
    const auto found = gpu.last_failures.find(std::this_thread::get_id());
    return found == gpu.last_failures.end() ? cudaSuccess : found->second;
}

cudaError_t cudaGetLastError() {
    emulated::Machine& gpu = emulated::machine();
    const std::lock_guard lock(gpu.mutex);
    const cudaError_t last = cudaPeekAtLastError();
    if (!gpu.broken) {
        gpu.last_failures.erase(std::this_thread::get_id());
    }
    return last;
}

const char* cudaGetErrorName(cudaError_t code) { return name_of(code).name; }

const char* cudaGetErrorString(cudaError_t code) {
    emulated::Machine& gpu = emulated::machine();
    const std::lock_guard lock(gpu.mutex);
    const std::string& text = gpu.last_texts[code];
    return text.empty() ? name_of(code).text : text.c_str();
}
