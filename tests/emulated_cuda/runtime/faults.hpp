// Says on standard error which kernel, or whether the host, touched what it must not, before the process ends by it.
#pragma once

namespace emulated {

// From now on, until this library is unloaded.
void explain_faults();

}  // namespace emulated
