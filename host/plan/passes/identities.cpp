// Pass: leaves out layers that do nothing outside training, such as dropout.
#include <fmt/format.h>

#include <algorithm>

#include "base/text/counted.hpp"
#include "plan/passes/pass.hpp"

namespace sluice::plan {
namespace {

bool is_identity(const Node& node) { return (node.layer->traits().flags & SLUICE_LAYER_IDENTITY_IN_EVAL) != 0; }

// Replaces all reads of `from` by reads of `to`.
void read_instead(Graph& graph, TensorId from, TensorId to) {
    const auto replace = [&](TensorId& id) { id = id == from ? to : id; };
    for (Node& node : graph.nodes) {
        std::ranges::for_each(node.inputs, replace);
    }
    replace(graph.prediction);
    graph.tensors[to].kept = graph.tensors[to].kept || graph.tensors[from].kept;
}

}  // namespace

std::string leave_out_identities(Plan& plan, const PassContext& /*context*/) {
    Graph& graph = plan.graph;
    if (graph.mode == Mode::train) {
        return "";
    }
    for (const Node& node : graph.nodes) {
        if (is_identity(node)) {
            read_instead(graph, node.outputs.front(), node.inputs.front());
        }
    }
    const std::size_t left_out = std::erase_if(graph.nodes, is_identity);
    index_consumers(graph);
    return left_out == 0
               ? ""
               : counted(left_out, "layer") + (left_out == 1 ? " without effect outside training is left out"
                                                             : " without effect outside training are left out");
}

}  // namespace sluice::plan
