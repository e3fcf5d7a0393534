#include "device/libraries.hpp"

#include <cuda_runtime.h>
#include <cudnn.h>
#include <dlfcn.h>

#include "device/availability.hpp"

namespace sluice::cudnn {
namespace {

// Returns NCCL's version; empty: not installed. NCCL's number for 2.28.3 is 22803.
std::string nccl_version() {
    void* const library = ::dlopen("libnccl.so.2", RTLD_LAZY | RTLD_LOCAL);
    if (library == nullptr) {
        return {};
    }
    int version = 0;
    auto* const ask = reinterpret_cast<int (*)(int*)>(::dlsym(library, "ncclGetVersion"));
    const bool is_known = ask != nullptr && ask(&version) == 0;
    ::dlclose(library);
    return is_known ? std::to_string(version / 10000) + "." + std::to_string(version / 100 % 100) + "." +
                          std::to_string(version % 100)
                    : std::string();
}

}  // namespace

std::vector<sdk::Library> list_libraries() {
    std::vector<sdk::Library> libraries{{"cuDNN", cudnn_version_text(cudnnGetVersion())}};
    int version = 0;
    if (cudaRuntimeGetVersion(&version) == cudaSuccess) {
        libraries.push_back({"CUDA", cuda_version_text(version)});
    }
    version = 0;  // stays 0 if there is no driver
    if (cudaDriverGetVersion(&version) == cudaSuccess && version > 0) {
        libraries.push_back({"CUDA of the driver", cuda_version_text(version)});
    }
    if (std::string nccl = nccl_version(); !nccl.empty()) {
        libraries.push_back({"NCCL", std::move(nccl)});
    }
    return libraries;
}

}  // namespace sluice::cudnn
