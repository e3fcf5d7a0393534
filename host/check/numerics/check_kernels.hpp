// `host check`: every kernel provider of every plugin against the oracle, on the cases of the layers' manifests.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "check/findings/finding.hpp"
#include "registry/loading/registry.hpp"

namespace sluice::check {

// A layer type and a provider of kernels for it; NULL for a layer type that has nothing to be checked on.
struct Pair {
    const registry::ComponentManifest* layer = nullptr;
    const registry::ComponentManifest* kernels = nullptr;
};

// `names`: of layer types and kernel providers, or their ids. Those layer types are checked on those providers; all of
// a kind where none of it is named. Throws Error(Exit::config) where nothing has such a name.
std::vector<Pair> list_pairs(const registry::Registry& registry, const std::vector<std::string>& names);

// Checks it in a process of its own (see isolated.hpp), which is ended after `limit`, where that is not 0. tell: gets
// the findings as they come.
void check_pair(const registry::Registry& registry, const Pair& pair, std::chrono::duration<double> limit,
                const std::function<void(const Finding&)>& tell);

// All of all pairs.
std::vector<Finding> check_kernels(const registry::Registry& registry, const std::vector<std::string>& names);

}  // namespace sluice::check
