// The ABI's struct for a layer of a chain, which kernel providers get.
#pragma once

#include <span>
#include <string_view>

#include "sluice/kind/kernel.h"

namespace sluice::registry {

struct NodeParts {
    std::string_view type;
    std::string_view path;
    const sluice_value* options;
    std::span<const sluice_tensor_spec> inputs, outputs, parameters, states;
};

// The struct borrows the parts. It has no gradients, flags and types of arithmetic yet, and no node before it.
sluice_node make_node(const NodeParts& parts);

}  // namespace sluice::registry
