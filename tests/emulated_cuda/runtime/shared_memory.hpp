// Shared memory: all __shared__ variables of the plugin, which are its thread-local ones.
#pragma once

namespace emulated {

// Fills it with NaN. Whatever else the plugin declares thread_local is lost, too.
void poison_shared_memory();

}  // namespace emulated
