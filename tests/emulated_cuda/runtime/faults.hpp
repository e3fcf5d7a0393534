// Before a fault terminates the process, prints to standard error who caused it: a thread of a kernel, or the host.
#pragma once

#include "memory.hpp"

namespace emulated {

// Explains faults from now on, until this library is unloaded. `memory` names the place of a fault and must outlive it.
void explain_faults(const Memory& memory);

}  // namespace emulated
