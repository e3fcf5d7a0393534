// Why no GPU can be used, in one sentence that says what the user can do. Calls nothing of CUDA.
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

// What CUDA, cuDNN, NVML and the environment tell before a GPU is opened. Versions: 12040 is CUDA 12.4.
struct Findings {
    std::size_t cudnn = 0;               // 91900 is cuDNN 9.19.0
    int plugin_cuda = 0;                 // that the plugin was built with
    int driver_cuda = 0;                 // the newest that the driver runs; 0: there is no driver
    std::string driver_release;          // "580.65.06"; empty: not known
    std::string error;                   // what CUDA said when it counted the GPUs; empty: nothing
    std::optional<unsigned> installed;   // GPUs of the machine; nothing: not known
    std::optional<std::string> visible;  // CUDA_VISIBLE_DEVICES
    std::vector<FoundGpu> gpus;
};

[[nodiscard]] bool is_usable(const FoundGpu& gpu);
// Empty where a GPU is usable.
[[nodiscard]] std::string why_none(const Findings& findings);

// How opening a GPU failed.
struct FailedOpening {
    FoundGpu gpu;
    bool out_of_memory = false;
    bool unavailable = false;   // CUDA's word for a GPU that another process holds
    bool is_exclusive = false;  // its compute mode lets in one process
    std::string error;          // CUDA's
};
[[nodiscard]] std::string why_not_opened(const FailedOpening& failed);

// "13.0" of 13000, as CUDA counts.
[[nodiscard]] std::string cuda_version_text(int version);
// "9.19.0"
[[nodiscard]] std::string cudnn_version_text(std::size_t version);

}  // namespace sluice::cudnn
