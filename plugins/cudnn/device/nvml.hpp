// NVML, NVIDIA's library for monitoring GPUs. It comes with the driver. It is opened at run time, so that the plugin
// also loads without a driver.
#pragma once

#include <optional>
#include <string>

#include "sluice/kind/usage.h"

namespace sluice::cudnn {

struct NvmlFunctions;

class Nvml {
public:
    // Never throws. If NVML cannot be used, missing() has the reason.
    explicit Nvml(const char* library = "libnvidia-ml.so.1");
    ~Nvml();
    Nvml(const Nvml&) = delete;
    Nvml& operator=(const Nvml&) = delete;

    // The reason why NVML cannot be used; empty: it can.
    [[nodiscard]] const std::string& missing() const { return missing_; }
    // "580.65.06"; empty: not known.
    [[nodiscard]] std::string driver_release() const;
    // The number of GPUs in the machine, including those hidden from CUDA; empty: not known.
    [[nodiscard]] std::optional<unsigned> gpu_count() const;
    // Reads the GPU with that PCI bus id ("0000:1B:00.0"). Throws sdk::Failure(SLUICE_UNSUPPORTED) with the reason if
    // NVML cannot be used or does not know the GPU.
    [[nodiscard]] sluice_usage_figures read(const std::string& bus_id) const;

private:
    const NvmlFunctions* functions_ = nullptr;  // NULL if NVML cannot be used
    void* library_ = nullptr;
    std::string missing_;
};

}  // namespace sluice::cudnn
