// What the machine is like, by the environment.
#pragma once

#include <cstdlib>
#include <string>

namespace emulated {

// SLUICE_EMULATED_CUDA_<name>.
inline int figure(const std::string& name, int otherwise) {
    const char* const text = std::getenv(("SLUICE_EMULATED_CUDA_" + name).c_str());
    return text != nullptr ? std::atoi(text) : otherwise;
}

}  // namespace emulated
