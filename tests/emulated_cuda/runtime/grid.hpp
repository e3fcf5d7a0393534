// Runs a kernel: block after block, and the threads of a block in turns from barrier to barrier. Both orders change
// from launch to launch, so that what depends on them comes out differently.
#pragma once

#include <functional>
#include <string>

#include "cuda_runtime.h"

namespace emulated {

struct Kernel {
    const void* address;
    SharedMemory shared_memory;
    std::function<void()> thread;
    dim3 blocks;
    dim3 threads;
};

// Throws Failure where a GPU could not run it in this shape.
void expect_valid(const Kernel& kernel);

// number: of the launch. Throws Failure where threads wait for others that never come.
void run_grid(const Kernel& kernel, unsigned number);

// Where a kernel runs on this machine, "kernel K, block (1, 0, 0), thread (31, 0, 0)"; "" where none does.
std::string running_thread();

}  // namespace emulated
