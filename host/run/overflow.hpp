// Where numbers stopped being finite.
#pragma once

#include <optional>
#include <string>

#include "data/loader.hpp"
#include "plan/graph.hpp"
#include "run/weights.hpp"

namespace sluice::run {

// Whether every number that the batch feeds is finite.
[[nodiscard]] bool is_finite(const data::Batch& batch);

// The layer nearest to the loss of those that have a gradient of a parameter that is not finite: backward met it first.
// The gradients lie in host memory.
[[nodiscard]] std::optional<std::string> overflowing_layer(const plan::Graph& graph, const Weights& weights);

// What usually helps where the output of `layer` is not finite. Fewer bits are named where the graph stores any: with
// infinities of float16 the other 16-bit type may do.
[[nodiscard]] std::string cure_of(const plan::Graph& graph, const std::string& layer);

}  // namespace sluice::run
