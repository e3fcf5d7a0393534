// Reads properties of the emulated machine from the environment.
#pragma once

#include <cstdlib>
#include <string>

namespace emulated {

// Returns the number in SLUICE_EMULATED_CUDA_<name>, or `otherwise` if it is not set.
inline int figure(const std::string& name, int otherwise) {
    const char* const text = std::getenv(("SLUICE_EMULATED_CUDA_" + name).c_str());
    return text != nullptr ? std::atoi(text) : otherwise;
}

}  // namespace emulated
