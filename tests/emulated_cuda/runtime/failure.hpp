// The exception of functions inside the emulation. entry() of machine.hpp converts it to a code for the caller.
#pragma once

#include <string>

#include "cuda_runtime.h"

namespace emulated {

struct Failure {
    cudaError_t code;
    std::string text;
};

[[noreturn]] inline void fail(cudaError_t code, std::string text) { throw Failure{code, std::move(text)}; }

}  // namespace emulated
