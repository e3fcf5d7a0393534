// Current load of a device (kind/usage.h).
#pragma once

#include "registry/objects/device.hpp"
#include "sluice/kind/usage.h"

namespace sluice::registry {

// Figures that the device does not know are -1. Throws Error(Exit::device) with the reason if it reports none.
sluice_usage_figures read_usage(const Device& device);

// Bytes of device memory that are free now. device.info() holds the value of when the device was opened.
std::uint64_t free_memory(const Device& device);

}  // namespace sluice::registry
