// Pass: marks the tensors that have a gradient: a parameter precedes them and the loss follows. The input of the first
// layer has none, nor has the target of the loss.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "plan/passes/pass.hpp"

namespace sluice::plan {
namespace {

void mark_what_is_trained(Graph& graph) {
    for (Node& node : graph.nodes) {
        const bool through = (node.layer->traits().flags & SLUICE_LAYER_NO_GRADIENT) == 0;
        const bool trained = !node.parameters.empty() || std::ranges::any_of(node.inputs, [&](TensorId id) {
            return graph.tensors[id].wants_gradient;
        });
        node.has_backward = through && trained;
        for (const TensorId id : node.outputs) {
            graph.tensors[id].wants_gradient = node.has_backward;
        }
    }
}

void drop_what_misses_the_loss(Graph& graph) {
    std::vector<bool> reaches(graph.tensors.size(), false);
    reaches[graph.loss] = true;
    for (auto node = graph.nodes.rbegin(); node != graph.nodes.rend(); ++node) {
        const bool used = std::ranges::any_of(node->outputs, [&](TensorId id) { return reaches[id]; });
        node->has_backward = node->has_backward && used;
        for (const TensorId id : node->inputs) {
            reaches[id] = reaches[id] || used;
        }
    }
    for (TensorId id = 0; id < reaches.size(); ++id) {
        graph.tensors[id].wants_gradient = graph.tensors[id].wants_gradient && reaches[id];
    }
}

}  // namespace

std::string mark_gradients(Plan& plan, const PassContext& /*context*/) {
    Graph& graph = plan.graph;
    if (graph.mode != Mode::train) {
        return "";
    }
    mark_what_is_trained(graph);
    drop_what_misses_the_loss(graph);
    std::vector<std::string> without;
    for (const Node& node : graph.nodes) {
        const bool all =
            std::ranges::all_of(node.inputs, [&](TensorId id) { return graph.tensors[id].wants_gradient; });
        if (node.has_backward && !all) {
            without.push_back(fmt::format("'{}'", node.path));
        }
    }
    return without.empty() ? "" : fmt::format("not computed for input data in {}", fmt::join(without, ", "));
}

}  // namespace sluice::plan
