#include "plan/passes/node_views.hpp"

#include <algorithm>

#include "registry/objects/node.hpp"

namespace sluice::plan {

NodeView::NodeView(const Graph& graph, const Node& node, bool deterministic) : options_(node.options) {
    std::uint64_t wanted_gradients = 0;
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
        const Tensor& tensor = graph.tensors[node.inputs[i]];
        inputs_.push_back(tensor.spec);
        if (node.has_backward && tensor.wants_gradient) {
            wanted_gradients |= std::uint64_t{1} << i;
        }
    }
    for (const TensorId id : node.outputs) {
        outputs_.push_back(graph.tensors[id].spec);
    }
    for (const std::size_t i : node.parameters) {
        parameters_.push_back(graph.parameters[i].spec);
    }
    for (const std::size_t i : node.states) {
        states_.push_back(graph.states[i].spec);
    }
    view_ = registry::make_node({.type = node.type,
                                 .path = node.path,
                                 .options = options_.root(),
                                 .inputs = inputs_,
                                 .outputs = outputs_,
                                 .parameters = parameters_,
                                 .states = states_});
    view_.wanted_gradients = wanted_gradients;
    if (graph.mode == Mode::train) {
        view_.flags |= SLUICE_NODE_TRAIN;
    }
    if (deterministic) {
        view_.flags |= SLUICE_NODE_DETERMINISTIC;
    }
    view_.compute = node.precision.compute;
    view_.accumulate = node.precision.accumulate;
}

void NodeView::store_floats_as(sluice_dtype inputs, sluice_dtype outputs) {
    const auto store = [](std::vector<sluice_tensor_spec>& specs, sluice_dtype dtype) {
        for (sluice_tensor_spec& spec : specs) {
            spec.dtype = is_float(spec.dtype) ? dtype : spec.dtype;
        }
    };
    store(inputs_, inputs);
    store(outputs_, outputs);
}

NodeViews::NodeViews(const Graph& graph, bool deterministic) : graph_(graph) {
    for (const Node& node : graph.nodes) {
        views_.emplace_back(graph, node, deterministic);
    }
}

std::vector<sluice_node> NodeViews::chain(std::span<const std::size_t> nodes) const {
    std::vector<sluice_node> out;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        sluice_node view = views_[nodes[i]].get();
        view.chained_input = i == 0 ? -1 : position(nodes[i], graph_.nodes[nodes[i - 1]].outputs.front());
        out.push_back(view);
    }
    return out;
}

std::int32_t NodeViews::position(std::size_t node, TensorId tensor) const {
    const std::vector<TensorId>& inputs = graph_.nodes[node].inputs;
    return static_cast<std::int32_t>(std::ranges::find(inputs, tensor) - inputs.begin());
}

void NodeViews::mark_accumulation(std::span<const std::vector<std::size_t>> chains) {
    std::vector<bool> written(graph_.tensors.size(), false);
    for (auto chain = chains.rbegin(); chain != chains.rend(); ++chain) {
        for (auto node = chain->rbegin(); node != chain->rend(); ++node) {
            mark_accumulation(*node, written);
        }
    }
}

void NodeViews::mark_accumulation(std::size_t node, std::vector<bool>& written) {
    sluice_node& view = views_[node].get();
    view.accumulated_gradients = 0;
    for (std::size_t i = 0; i < graph_.nodes[node].inputs.size(); ++i) {
        const TensorId id = graph_.nodes[node].inputs[i];
        if ((view.wanted_gradients >> i & 1) != 0) {
            view.accumulated_gradients |= std::uint64_t{written[id]} << i;
            written[id] = true;
        }
    }
}

}  // namespace sluice::plan
