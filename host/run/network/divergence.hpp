// Diagnosis of numbers that are not finite: where they began, and what helps.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>

#include "data/loader/batch.hpp"
#include "plan/plan.hpp"
#include "run/network/loss_scaler.hpp"

namespace sluice::run {

// True if every float32 value of the batch is finite.
[[nodiscard]] bool is_finite(const data::Batch& batch);

// Returns the layer nearest to the loss with a parameter gradient that is not finite: backward reached it first.
// `read` returns `count` elements of the flat gradients from `offset` on, in host memory.
using ReadGradients = std::function<std::span<const float>(std::uint64_t offset, std::uint64_t count)>;
[[nodiscard]] std::optional<std::string> overflowing_layer(const plan::Graph& graph, const plan::Layout& layout,
                                                           const ReadGradients& read);

// Explains why a run stops if `what` ("the loss of step 3") is not finite, and what usually helps. `layer` is the first
// whose output is not finite. The advice mentions precision if the graph stores 16-bit types: bfloat16 can hold values
// that are infinite in float16.
[[nodiscard]] std::string why_it_diverged(const std::string& what, double value, const plan::Graph& graph,
                                          const std::string& layer);

// Explains why a run stops after too many skipped steps, and what helps. `place`: "in a gradient of layer 'x'".
// `in_forward`: the loss itself was not finite, so the loss scale is not the cause.
[[nodiscard]] std::string why_it_gives_up(const LossScaler& scaler, const LossScale& scale, const std::string& place,
                                          bool in_forward);

}  // namespace sluice::run
