#include "run/pretrained/own_tensor.hpp"

#include <algorithm>

namespace sluice::run {
namespace {

const plan::Node* maker_of(const plan::Graph& graph, plan::TensorId tensor) {
    const auto found = std::ranges::find_if(graph.nodes, [&](const plan::Node& node) {
        return std::ranges::find(node.outputs, tensor) != node.outputs.end();
    });
    return found != graph.nodes.end() ? &*found : nullptr;
}

// Layers between `flatten` and the dense layer, such as dropout, keep the order of the elements.
std::array<std::int64_t, 3> flattened_picture(const plan::Graph& graph, const plan::Node& dense) {
    for (const plan::Node* node = maker_of(graph, dense.inputs.front()); node != nullptr && !node->inputs.empty();
         node = maker_of(graph, node->inputs.front())) {
        const sluice_tensor_spec& input = graph.tensors[node->inputs.front()].spec;
        if (node->type == "flatten" && input.rank == 4) {
            return {input.shape[1], input.shape[2], input.shape[3]};
        }
        if (!(input == graph.tensors[node->outputs.front()].spec)) {
            break;
        }
    }
    return {};
}

}  // namespace

std::vector<OwnTensor> own_tensors(const plan::Graph& graph) {
    const auto last = std::find_if(graph.nodes.rbegin(), graph.nodes.rend(),
                                   [](const plan::Node& node) { return !node.parameters.empty(); });
    std::vector<OwnTensor> tensors;
    const auto add = [&](const plan::Node& node, const char* group, const std::string& name,
                         const sluice_tensor_spec& spec) {
        OwnTensor tensor{.name = group + name,
                         .path = node.path,
                         .leaf = name.substr(node.path.size() + 1),
                         .layer_type = node.type,
                         .spec = spec};
        tensor.is_of_head = last != graph.nodes.rend() && &*last == &node;
        if (node.type == "dense") {
            tensor.picture = flattened_picture(graph, node);
        }
        tensors.push_back(std::move(tensor));
    };
    for (const plan::Node& node : graph.nodes) {
        for (const std::size_t parameter : node.parameters) {
            add(node, "model/", graph.parameters[parameter].name, graph.parameters[parameter].spec);
        }
        for (const std::size_t state : node.states) {
            add(node, "running/", graph.states[state].name, graph.states[state].spec);
        }
    }
    return tensors;
}

}  // namespace sluice::run
