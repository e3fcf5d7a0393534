// `host check`: compares every kernel provider of every plugin with the oracle, on the cases of the layers' manifests.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "check/findings/finding.hpp"
#include "registry/loading/registry.hpp"

namespace sluice::check {

// A layer type and a kernel provider for it. `kernels` is NULL if the manifest of the layer type has no checks.
struct Pair {
    const registry::ComponentManifest* layer = nullptr;
    const registry::ComponentManifest* kernels = nullptr;
};

// `names` are names or ids of layer types and kernel providers. Lists these layer types with these providers; if none
// of a kind is named, all of that kind. Throws Error(Exit::config) if a name is unknown.
std::vector<Pair> list_pairs(const registry::Registry& registry, const std::vector<std::string>& names);

// Checks the pair in a process of its own (see isolated.hpp), which is killed after `limit`; 0: no limit. `notify` gets
// each finding at once.
void check_pair(const registry::Registry& registry, const Pair& pair, std::chrono::duration<double> limit,
                const std::function<void(const Finding&)>& notify);

// Checks all pairs, without a time limit, and returns all findings.
std::vector<Finding> check_kernels(const registry::Registry& registry, const std::vector<std::string>& names);

}  // namespace sluice::check
