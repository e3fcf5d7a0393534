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

}  // namespace sluice::run
