#include "plan/precision_listing.hpp"

#include <fmt/format.h>

#include <array>

#include "sluice/kind/layer.h"

namespace sluice::plan {
namespace {

constexpr std::int64_t kUnit = 8;  // what units of 16 bits take at once, of channels

std::string colour_text(std::int32_t colour) {
    constexpr std::array kNames{"infer", "allow", "deny", "clear"};
    return kNames[static_cast<std::size_t>(colour)];
}

std::string types_text(const sluice_precision_choice& choice) {
    std::string text = to_string(choice.storage);
    if (!(choice.compute == choice.storage)) {
        text += " by " + to_string(choice.compute);
    }
    return text;
}

std::string node_line(const Node& node, const Toolbox& tools) {
    return fmt::format("  {:<30} {:<19} {:<6} {:<15} {:<18} {}\n", node.path, node.type,
                       colour_text(node.precision.colour), tools.policies[node.policy].name, types_text(node.precision),
                       node.precision_reason);
}

// The channels of a layer that gains, where they fill its units in part.
std::string lint_line(const Graph& graph, const Node& node) {
    if (node.precision.colour != SLUICE_COLOUR_ALLOW || node.precision.compute == kFloat32) {
        return "";
    }
    const auto channels = [&](TensorId id) {
        const sluice_tensor_spec& spec = graph.tensors[id].spec;
        return spec.rank > 0 ? spec.shape[spec.rank - 1] : kUnit;
    };
    const std::int64_t in = channels(node.inputs.front());
    const std::int64_t out = channels(node.outputs.front());
    return in % kUnit == 0 && out % kUnit == 0 ? "" : fmt::format("  '{}' {} -> {}\n", node.path, in, out);
}

}  // namespace

std::string list_precision(const Plan& plan, const Toolbox& tools) {
    std::string text = fmt::format("  {:<30} {:<19} {:<6} {:<15} {:<18} {}\n", "layer", "type", "colour", "policy",
                                   "stored", "reason");
    std::string lint;
    for (const Node& node : plan.graph.nodes) {
        text += node_line(node, tools);
        lint += lint_line(plan.graph, node);
    }
    if (!lint.empty()) {
        text +=
            fmt::format("channels    not multiples of {}, which fill the units of 16 bits in part:\n{}", kUnit, lint);
    }
    return text;
}

}  // namespace sluice::plan
