// `host check`: every kernel provider of every plugin against the oracle, on the cases of the layers' manifests.
#pragma once

#include <string>
#include <vector>

#include "check/finding.hpp"
#include "registry/registry.hpp"

namespace sluice::check {

// `filter` names a layer type or a kernel provider, or its id; "" checks all. Throws Error(Exit::config) where nothing
// has that name. Each pair of layer type and provider is checked in a process of its own (see isolated.hpp).
std::vector<Finding> check_kernels(const registry::Registry& registry, const std::string& filter);

}  // namespace sluice::check
