// Shared memory: all __shared__ variables of a plugin, which are its thread-local ones.
#pragma once

#include "cuda_runtime.h"

namespace emulated {

// Fills it with NaN. Whatever else the plugin declares thread_local is lost, too.
void poison_shared_memory(SharedMemory memory);

}  // namespace emulated
