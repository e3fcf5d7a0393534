// Shared memory: all __shared__ variables of a plugin, which are thread-local here.
#pragma once

#include "cuda_runtime.h"

namespace emulated {

// Fills it with NaN. Everything else that the plugin declares thread_local is overwritten, too.
void poison_shared_memory(SharedMemory memory);

}  // namespace emulated
