// Memory bandwidth of devices other than the CPU.
#pragma once

#include <memory>
#include <vector>

#include "base/peaks/bandwidth.hpp"
#include "registry/objects/device.hpp"

namespace sluice::bench {

// Behaves like measure_bandwidth(), but measures copies within the free memory of the device.
std::vector<Bandwidth> measure_device_bandwidth(const std::shared_ptr<const registry::Device>& device);

}  // namespace sluice::bench
