#include "registry/objects/node.hpp"

#include <cstdint>

namespace sluice::registry {

sluice_node make_node(const NodeParts& parts) {
    sluice_node node{};
    node.struct_size = sizeof(node);
    node.type = {parts.type.data(), parts.type.size()};
    node.path = {parts.path.data(), parts.path.size()};
    node.options = parts.options;
    node.inputs = parts.inputs.data();
    node.outputs = parts.outputs.data();
    node.parameters = parts.parameters.data();
    node.states = parts.states.data();
    node.input_count = static_cast<std::uint32_t>(parts.inputs.size());
    node.output_count = static_cast<std::uint32_t>(parts.outputs.size());
    node.parameter_count = static_cast<std::uint32_t>(parts.parameters.size());
    node.state_count = static_cast<std::uint32_t>(parts.states.size());
    node.chained_input = -1;
    return node;
}

}  // namespace sluice::registry
