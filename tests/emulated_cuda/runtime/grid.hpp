// Runs a kernel: one block after another, and the threads of a block in turn from barrier to barrier. Both orders
// change from launch to launch, so that results that depend on them differ.
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

// Throws Failure if a GPU could not run the kernel in this shape.
void expect_valid(const Kernel& kernel);

// number: of the launch. Throws Failure if threads wait for others that never arrive.
void run_grid(const Kernel& kernel, unsigned number);

// Returns the running thread of a kernel, as "kernel K, block (1, 0, 0), thread (31, 0, 0)"; "": no kernel runs.
std::string running_thread();

}  // namespace emulated
