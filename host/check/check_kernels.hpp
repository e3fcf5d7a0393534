// `host check`: every kernel provider of every plugin against the oracle, on the cases of the layers' manifests.
#pragma once

#include <string>
#include <vector>

#include "check/finding.hpp"
#include "registry/registry.hpp"

namespace sluice::check {

// `names`: of layer types and kernel providers, or their ids. Those layer types are checked on those providers; all of
// a kind where none of it is named. Throws Error(Exit::config) where nothing has such a name. Each pair of layer type
// and provider is checked in a process of its own (see isolated.hpp).
std::vector<Finding> check_kernels(const registry::Registry& registry, const std::vector<std::string>& names);

}  // namespace sluice::check
