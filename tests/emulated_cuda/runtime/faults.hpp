// Before a fault terminates the process, prints to standard error which kernel's thread, or that the host, caused it.
#pragma once

namespace emulated {

// Explains faults from now on, until this library is unloaded.
void explain_faults();

}  // namespace emulated
