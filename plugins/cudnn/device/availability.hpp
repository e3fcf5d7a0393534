// Explains in one sentence why no GPU can be used and what the user can do. This file does not call CUDA.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sluice::cudnn {

struct FoundGpu {
    int number = 0;  // CUDA's
    std::string name;
    int major = 0;  // of the compute capability
    int minor = 0;
    bool prohibited = false;  // by its compute mode
};

// CUDA, cuDNN, NVML and the environment report this before a GPU is opened. Versions: 12040 is CUDA 12.4.
struct Findings {
    std::size_t cudnn = 0;               // 91900 is cuDNN 9.19.0
    int plugin_cuda = 0;                 // the version that the plugin was built with
    int driver_cuda = 0;                 // the newest that the driver runs; 0: there is no driver
    std::string driver_release;          // "580.65.06"; empty: not known
    std::string error;                   // CUDA's error when it counted the GPUs; empty: none
    std::optional<unsigned> installed;   // GPUs of the machine; empty: not known
    std::optional<std::string> visible;  // CUDA_VISIBLE_DEVICES
    std::vector<FoundGpu> gpus;
};

[[nodiscard]] bool is_usable(const FoundGpu& gpu);
// Returns the reason why no GPU is usable; empty: one is.
[[nodiscard]] std::string no_gpu_reason(const Findings& findings);

// Why opening a GPU failed.
struct FailedOpening {
    FoundGpu gpu;
    bool out_of_memory = false;
    bool unavailable = false;   // CUDA's status for a GPU that another process holds
    bool is_exclusive = false;  // its compute mode admits one process only
    std::string error;          // CUDA's text
};
[[nodiscard]] std::string open_failure_reason(const FailedOpening& failed);

// Returns "13.0" for CUDA's number 13000.
[[nodiscard]] std::string cuda_version_text(int version);
// Returns "9.19.0" for cuDNN's number 91900.
[[nodiscard]] std::string cudnn_version_text(std::size_t version);

}  // namespace sluice::cudnn
