// Devices for cases, and the cases of their optional interfaces.
#pragma once

#include <memory>
#include <span>

#include "check/contract/cases.hpp"
#include "registry/objects/device.hpp"

namespace sluice::check {

// Opens the first device. Throws CaseSkipped if there is none.
std::shared_ptr<const registry::Device> open_device(Trial& trial);

// These cases are skipped if the device does not serve their interface.
std::span<const Case> stream_cases();
std::span<const Case> usage_cases();
std::span<const Case> device_time_cases();
std::span<const Case> device_activity_cases();

}  // namespace sluice::check
