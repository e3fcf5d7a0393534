// Load of the devices of a run, as columns of usage.csv.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "observe/usage/row.hpp"
#include "registry/objects/device.hpp"
#include "sluice/kind/usage.h"

namespace sluice::observe {

// Reads the usage of one device; nullopt: it cannot be read now. [thread of the sampler]
using UsageReader = std::function<std::optional<sluice_usage_figures>()>;

// Returns a reader of each device that reports its usage, in their order. A device that several replicas share comes
// once. The readers own the devices.
std::vector<UsageReader> usage_readers(const std::vector<std::shared_ptr<const registry::Device>>& devices);

// Sets the columns of the device with that number.
void set_device_columns(const sluice_usage_figures& figures, std::size_t device, Row& row);

}  // namespace sluice::observe
