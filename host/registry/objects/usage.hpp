// How a device is used at the moment: see kind/usage.h.
#pragma once

#include "registry/objects/objects.hpp"

namespace sluice::registry {

// Throws Error(Exit::device) with the reason where nothing is known.
sluice_usage_figures read_usage(const Device& device);

// Bytes of its memory that are free now; device.info() has those when it was opened.
std::uint64_t free_memory(const Device& device);

}  // namespace sluice::registry
