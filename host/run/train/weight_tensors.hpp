// Parameters and gradients for observers.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/tensor.hpp"
#include "run/replica/network_runner.hpp"

namespace sluice::run {

// Copies each parameter, by its name in a checkpoint without "model/", and its gradient, named "gradients/" and the
// same. Gradients are those of the last step's mean loss. If the update is sharded, a replica has only its own part of
// them, so there are none. No step may be in flight.
std::vector<std::pair<std::string, HostTensor>> read_weights(NetworkRunner& runner);

}  // namespace sluice::run
