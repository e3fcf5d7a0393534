// Before a fault terminates the process, prints to standard error who caused it: a thread of a kernel, or the host.
#pragma once

namespace emulated {

// Explains faults from now on, until this library is unloaded.
void explain_faults();

}  // namespace emulated
