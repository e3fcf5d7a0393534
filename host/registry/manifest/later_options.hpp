// Options that a later version of a layer type added. Kernels built before that version ignore them and would compute
// something else, so they are refused unless the option has its default.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "registry/manifest/manifest.hpp"
#include "sluice/kind/kernel.h"

namespace sluice::registry {

struct LaterOption {
    std::string name;  // "conv2d.padding_mode", as `knows` in kernel manifests lists it
    std::string since;
    Value default_value;  // with it the layer behaves as before the option existed
};
using LaterOptions = std::vector<LaterOption>;

// Adds the later options of the plugin's layer types to `all`.
void add_later_options(LaterOptions& all, const PluginManifest& plugin);

// Returns why the kernels cannot compute the node: a later option that they do not know and that is not at its default.
std::optional<std::string> unknown_option(std::span<const LaterOption> all, const ComponentManifest& kernels,
                                          const sluice_node& node);

}  // namespace sluice::registry
