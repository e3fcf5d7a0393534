// The service sluice.fault_guard/1: code that survives pages of mapped files that cannot be read.
#pragma once

#include "sluice/fault_guard.h"

namespace sluice::registry {

// Null where the system does not let us catch what it tells.
const sluice_fault_guard* fault_guard();

}  // namespace sluice::registry
