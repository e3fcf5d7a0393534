// Devices, and the cases of what they may serve beside.
#pragma once

#include <memory>
#include <span>

#include "check/contract/cases.hpp"

namespace sluice::check {

// The first one. Throws NotShown where there is none.
std::shared_ptr<const registry::Device> open_device(Trial& trial);

// Skipped where it does not serve SLUICE_STREAMS_V1 or SLUICE_USAGE_V1.
std::span<const Case> stream_cases();
std::span<const Case> usage_cases();

}  // namespace sluice::check
