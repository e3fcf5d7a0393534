#include "device/availability.hpp"

#include <algorithm>

namespace sluice::cudnn {
namespace {

constexpr int kLeastMajor = 8;  // Ampere: the first with bfloat16
constexpr std::size_t kLeastCudnn = 90000;

// Returns the oldest driver for a major version of CUDA, if that version is known here.
std::string needed_driver(int cuda) {
    switch (cuda / 1000) {
        case 12:
            return "driver 525 or later";
        case 13:
            return "driver 580 or later";
        default:
            return "a driver for CUDA " + cuda_version_text(cuda);
    }
}

std::string driver_name(const Findings& findings) {
    return "the NVIDIA driver" + (findings.driver_release.empty() ? "" : " " + findings.driver_release);
}

// Explains why CUDA shows no GPU although the driver works.
std::string no_visible_gpu_reason(const Findings& findings) {
    if (findings.visible && findings.installed.value_or(1) > 0) {
        return "CUDA_VISIBLE_DEVICES is \"" + *findings.visible + "\", which leaves no GPU" +
               (findings.installed ? " of the " + std::to_string(*findings.installed) + " in this machine" : "") +
               "; unset it, or give it the number of one: CUDA_VISIBLE_DEVICES=0";
    }
    return driver_name(findings) + " finds no GPU" +
           (findings.error.empty() ? "" : " (CUDA says: " + findings.error + ")") +
           "; `nvidia-smi` shows what there is, and a container has to be started with --gpus all";
}

std::string unusable_reason(const FoundGpu& gpu) {
    if (gpu.major < kLeastMajor) {
        return gpu.name + " has compute capability " + std::to_string(gpu.major) + "." + std::to_string(gpu.minor) +
               "; a GPU of 8.0 or later is needed (Ampere and newer)";
    }
    return gpu.name +
           " is closed to all programs (compute mode 'prohibited'); an administrator opens it with "
           "`nvidia-smi -c DEFAULT`";
}

}  // namespace

bool is_usable(const FoundGpu& gpu) { return gpu.major >= kLeastMajor && !gpu.prohibited; }

std::string cuda_version_text(int version) {
    return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

std::string cudnn_version_text(std::size_t version) {
    return std::to_string(version / 10000) + "." + std::to_string(version / 100 % 100) + "." +
           std::to_string(version % 100);
}

std::string no_gpu_reason(const Findings& findings) {
    if (findings.driver_cuda == 0) {
        return "there is no NVIDIA driver (libcuda.so.1 was not found); install " +
               needed_driver(findings.plugin_cuda) + ", or start the container with --gpus all";
    }
    if (findings.driver_cuda / 1000 < findings.plugin_cuda / 1000) {
        return driver_name(findings) + " is too old: it runs CUDA up to " + cuda_version_text(findings.driver_cuda) +
               ", this plugin needs " + cuda_version_text(findings.plugin_cuda) + "; install " +
               needed_driver(findings.plugin_cuda);
    }
    if (findings.cudnn < kLeastCudnn) {
        // Before version 9, the number of 8.9.7 was 8907.
        return "cuDNN " + std::to_string(findings.cudnn / 1000) + "." + std::to_string(findings.cudnn / 100 % 10) +
               " is too old; install cuDNN 9 for CUDA " + std::to_string(findings.plugin_cuda / 1000);
    }
    if (findings.gpus.empty()) {
        return no_visible_gpu_reason(findings);
    }
    return std::any_of(findings.gpus.begin(), findings.gpus.end(), is_usable) ? ""
                                                                              : unusable_reason(findings.gpus.front());
}

std::string open_failure_reason(const FailedOpening& failed) {
    const std::string& name = failed.gpu.name;
    if (failed.out_of_memory) {
        return "other processes use all memory of " + name +
               "; stop one of them (`nvidia-smi` lists them), or choose another GPU with CUDA_VISIBLE_DEVICES";
    }
    if (failed.unavailable && failed.is_exclusive) {
        return "another process uses " + name +
               " exclusively (compute mode 'exclusive process'); wait until it exits, or ask an administrator to share "
               "the GPU with `nvidia-smi -c DEFAULT`";
    }
    return name + " cannot be opened (CUDA says: " + failed.error +
           "); `nvidia-smi` shows who uses it and whether it works";
}

}  // namespace sluice::cudnn
