#include "run/network/divergence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace sluice::run {
namespace {

bool all_finite(std::span<const float> values) {
    return std::ranges::all_of(values, [](float value) { return std::isfinite(value); });
}

bool stores(const plan::Graph& graph, sluice_dtype dtype) {
    return std::ranges::any_of(graph.tensors, [&](const plan::Tensor& tensor) { return tensor.spec.dtype == dtype; });
}

std::string cure_of(const plan::Graph& graph, const std::string& layer) {
    const std::string rate = "a lower optimizer.rate usually helps";
    std::vector<std::string> more;
    if (stores(graph, kFloat16)) {
        more.emplace_back("precision.use = \"mixed_bfloat16\"");
    }
    if (layer != "loss" && (stores(graph, kFloat16) || stores(graph, kBfloat16))) {
        more.push_back(fmt::format("precision = \"float32\" on layer '{}'", layer));
    }
    return more.empty() ? rate : fmt::format("{}; with 16-bit types {} may help too", rate, fmt::join(more, " or "));
}

}  // namespace

bool is_finite(const data::Batch& batch) {
    return std::ranges::all_of(batch.fields, [](const data::NamedTensor& field) {
        return !(field.tensor.spec.dtype == kFloat32) || all_finite(field.tensor.as<float>());
    });
}

std::optional<std::string> overflowing_layer(const plan::Graph& graph, const plan::Layout& layout,
                                             const ReadGradients& read) {
    for (auto node = graph.nodes.rbegin(); node != graph.nodes.rend(); ++node) {
        for (const std::size_t p : node->parameters) {
            const auto count = static_cast<std::uint64_t>(element_count(graph.parameters[p].spec));
            if (!all_finite(read(layout.parameters[p], count))) {
                return node->path;
            }
        }
    }
    return std::nullopt;
}

std::string why_it_diverged(const std::string& what, double value, const plan::Graph& graph, const std::string& layer) {
    return fmt::format("{} is {}; the first output that is not finite is that of layer '{}'; {}", what, value, layer,
                       cure_of(graph, layer));
}

std::string why_it_gives_up(const LossScaler& scaler, const LossScale& scale, const std::string& place,
                            bool in_forward) {
    const std::string steps =
        scale.skips_in_row == 1 ? "the last step was" : fmt::format("the last {} steps were", scale.skips_in_row);
    const char* const state = scaler.is_static()       ? ", and static"
                              : scaler.at_floor(scale) ? ", which is precision.floor"
                                                       : "";
    const bool scale_is_to_blame = scaler.is_static() && !in_forward;
    return fmt::format(
        "{} skipped, because numbers were not finite {}; the loss scale is {:g}{}. What helps is {}a lower "
        "optimizer.rate, precision.use = \"mixed_bfloat16\", or precision = \"float32\" on that layer",
        steps, place, scale.value, state,
        scale_is_to_blame ? "a lower precision.scale, precision.loss_scale = \"dynamic\", " : "");
}

}  // namespace sluice::run
