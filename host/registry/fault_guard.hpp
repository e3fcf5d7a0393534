// The service sluice.fault_guard/1: code that survives pages of mapped files that cannot be read.
#pragma once

#include "sluice/fault_guard.h"

namespace sluice::registry {

extern const sluice_fault_guard kFaultGuard;

}  // namespace sluice::registry
