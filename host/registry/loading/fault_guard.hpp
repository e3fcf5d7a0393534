// The service sluice.fault_guard/1: runs code that may touch unreadable pages of mapped files, and survives SIGBUS.
#pragma once

#include "sluice/fault_guard.h"

namespace sluice::registry {

// Null if the SIGBUS handler cannot be installed.
const sluice_fault_guard* fault_guard();

}  // namespace sluice::registry
