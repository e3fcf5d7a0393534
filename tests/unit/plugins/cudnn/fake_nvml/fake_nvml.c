// NVML as a machine with two GPUs has it. The GPU at 0000:01:00.0 reports neither power nor clock.
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

enum { kSuccess = 0, kNotSupported = 3, kNotFound = 6 };

static int gpus[2];
static int is_open;

EXPORT int nvmlInit_v2(void) {
    is_open = 1;
    return kSuccess;
}
EXPORT int nvmlShutdown(void) {
    is_open = 0;
    return kSuccess;
}
EXPORT const char* nvmlErrorString(int status) { return status == kNotFound ? "Not Found" : "Unknown Error"; }
EXPORT int nvmlSystemGetDriverVersion(char* text, unsigned size) {
    strncpy(text, "580.65.06", size);
    return kSuccess;
}
EXPORT int nvmlDeviceGetCount_v2(unsigned* count) {
    *count = 2;
    return is_open ? kSuccess : kNotFound;
}
EXPORT int nvmlDeviceGetHandleByPciBusId_v2(const char* bus_id, void** gpu) {
    const int index = strcmp(bus_id, "0000:01:00.0") == 0 ? 0 : strcmp(bus_id, "0000:02:00.0") == 0 ? 1 : -1;
    if (index < 0) {
        return kNotFound;
    }
    *gpu = &gpus[index];
    return kSuccess;
}
EXPORT int nvmlDeviceGetUtilizationRates(void* gpu, unsigned* rates) {
    rates[0] = gpu == &gpus[1] ? 98 : 0;
    rates[1] = 40;
    return kSuccess;
}
EXPORT int nvmlDeviceGetMemoryInfo(void* gpu, unsigned long long* bytes) {
    (void)gpu;
    bytes[0] = 1ULL << 37;
    bytes[1] = (1ULL << 37) - (3ULL << 30);
    bytes[2] = 3ULL << 30;
    return kSuccess;
}
EXPORT int nvmlDeviceGetPowerUsage(void* gpu, unsigned* milliwatts) {
    *milliwatts = 512500;
    return gpu == &gpus[1] ? kSuccess : kNotSupported;
}
EXPORT int nvmlDeviceGetTemperature(void* gpu, int sensor, unsigned* celsius) {
    *celsius = 61;
    return gpu != NULL && sensor == 0 ? kSuccess : kNotSupported;
}
EXPORT int nvmlDeviceGetClockInfo(void* gpu, int clock, unsigned* megahertz) {
    *megahertz = 1755;
    return gpu == &gpus[1] && clock == 1 ? kSuccess : kNotSupported;
}
EXPORT int nvmlDeviceGetCurrentClocksThrottleReasons(void* gpu, unsigned long long* reasons) {
    *reasons = gpu == &gpus[1] ? 0x4 : 0x1; /* software power cap; idle */
    return kSuccess;
}
