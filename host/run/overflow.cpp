#include "run/overflow.hpp"

#include <algorithm>
#include <cmath>

namespace sluice::run {
namespace {

bool all_finite(std::span<const float> values) {
    return std::ranges::all_of(values, [](float value) { return std::isfinite(value); });
}

}  // namespace

bool is_finite(const data::Batch& batch) {
    return std::ranges::all_of(batch.fields, [](const data::NamedTensor& field) {
        return !(field.tensor.spec.dtype == kFloat32) || all_finite(field.tensor.as<float>());
    });
}

std::optional<std::string> overflowing_layer(const plan::Graph& graph, const Weights& weights) {
    for (auto node = graph.nodes.rbegin(); node != graph.nodes.rend(); ++node) {
        for (const std::size_t p : node->parameters) {
            const float* const gradient = weights.gradients() + weights.layout().parameters[p];
            if (!all_finite({gradient, static_cast<std::size_t>(element_count(graph.parameters[p].spec))})) {
                return node->path;
            }
        }
    }
    return std::nullopt;
}

}  // namespace sluice::run
