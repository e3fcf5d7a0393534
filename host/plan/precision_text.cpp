#include "plan/precision_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "sluice/kind/layer.h"

namespace sluice::plan {
namespace {

constexpr const char* kLine = "  {:<30} {:<19} {:<8} {:<15} {:<19} {}\n";
constexpr std::int64_t kMatrixUnit = 8;  // channels or samples that 16-bit matrix units take at once

std::string category_text(std::int32_t colour) {
    constexpr std::array kNames{"infer", "allow", "deny", "clear"};
    return kNames[static_cast<std::size_t>(colour)];
}

// For each node, the type that it multiplies in: that of its policy, unless its kernel uses another.
std::vector<sluice_dtype> computed_types(const Plan& plan) {
    std::vector<sluice_dtype> types;
    for (const Node& node : plan.graph.nodes) {
        types.push_back(node.precision.compute);
    }
    for (const Step& step : plan.steps) {
        for (const std::size_t n : step.nodes) {
            types[n] = step.kernel.needs().computes_in.value_or(types[n]);
        }
    }
    return types;
}

std::string node_line(const Node& node, sluice_dtype computed, const Toolbox& tools) {
    const sluice_dtype stored = node.precision.storage;
    return fmt::format(
        kLine, node.path, node.type, category_text(node.precision.colour), tools.policies[node.policy].name,
        to_string(stored) + (computed == stored ? "" : " by " + to_string(computed)), node.precision_reason);
}

bool gains(const Node& node) {
    return node.precision.colour == SLUICE_COLOUR_ALLOW && !(node.precision.compute == kFloat32);
}

// Names the channels of a layer that gains from 16 bits if they fill the matrix units only partly.
std::string lint_line(const Graph& graph, const Node& node) {
    if (!gains(node)) {
        return "";
    }
    const auto channels = [&](TensorId id) {
        const sluice_tensor_spec& spec = graph.tensors[id].spec;
        return spec.rank > 0 ? spec.shape[spec.rank - 1] : kMatrixUnit;
    };
    const std::int64_t in = channels(node.inputs.front());
    const std::int64_t out = channels(node.outputs.front());
    return in % kMatrixUnit == 0 && out % kMatrixUnit == 0 ? "" : fmt::format("  '{}' {} -> {}\n", node.path, in, out);
}

// Names the batch size if it fills the matrix units only partly.
std::string lint_batch(const Graph& graph) {
    const sluice_tensor_spec& fed = graph.tensors[graph.feeds.front().tensor].spec;
    return fed.shape[0] % kMatrixUnit == 0 || std::ranges::none_of(graph.nodes, gains)
               ? ""
               : fmt::format("batch       {} is not a multiple of {}\n", fed.shape[0], kMatrixUnit);
}

}  // namespace

std::string list_precision(const Plan& plan, const Toolbox& tools) {
    std::string text = fmt::format(kLine, "layer", "type", "category", "policy", "types", "reason");
    std::string lint;
    const std::vector<sluice_dtype> computed = computed_types(plan);
    for (std::size_t n = 0; n < plan.graph.nodes.size(); ++n) {
        const Node& node = plan.graph.nodes[n];
        text += node_line(node, computed[n], tools);
        lint += lint_line(plan.graph, node);
    }
    if (!lint.empty()) {
        text += fmt::format("channels    not multiples of {}, so they fill 16-bit matrix units only partly:\n{}",
                            kMatrixUnit, lint);
    }
    return text + lint_batch(plan.graph);
}

}  // namespace sluice::plan
