// Options that a later version of a layer type added. Kernels that were built before it pass them over, and would
// compute something else than what they ask for.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "registry/manifest/manifest.hpp"
#include "sluice/kind/kernel.h"

namespace sluice::registry {

struct LaterOption {
    std::string name;  // "conv2d.padding_mode", as the manifests of kernels that know it say it
    std::string since;
    Value default_value;  // under which all is as before
};
using LaterOptions = std::vector<LaterOption>;

// Those of the plugin's layer types.
void add_later_options(LaterOptions& all, const PluginManifest& plugin);

// Which option of the node the kernels do not know, though it is not at its default.
std::optional<std::string> unknown_option(std::span<const LaterOption> all, const ComponentManifest& kernels,
                                          const sluice_node& node);

}  // namespace sluice::registry
