// NVML, NVIDIA's library of the figures of a GPU. It comes with the driver and is opened at run time, because without
// one the plugin is to load all the same.
#pragma once

#include <optional>
#include <string>

#include "sluice/kind/usage.h"

namespace sluice::cudnn {

struct NvmlFunctions;

class Nvml {
public:
    // Never throws: missing() says what is wrong.
    explicit Nvml(const char* library = "libnvidia-ml.so.1");
    ~Nvml();
    Nvml(const Nvml&) = delete;
    Nvml& operator=(const Nvml&) = delete;

    // Why nothing is known; empty where it works.
    [[nodiscard]] const std::string& missing() const { return missing_; }
    // "580.65.06"; empty where it is not known.
    [[nodiscard]] std::string driver_release() const;
    // GPUs of the machine, those hidden from CUDA included.
    [[nodiscard]] std::optional<unsigned> gpu_count() const;
    // Of the GPU with that PCI bus id ("0000:1B:00.0"). Throws sdk::Failure(SLUICE_UNSUPPORTED) with the reason where
    // nothing is known.
    [[nodiscard]] sluice_usage_figures read(const std::string& bus_id) const;

private:
    const NvmlFunctions* functions_ = nullptr;  // NULL unless it works
    void* library_ = nullptr;
    std::string missing_;
};

}  // namespace sluice::cudnn
