// Where numbers stopped being finite.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>

#include "data/loader/loader.hpp"
#include "plan/plan.hpp"
#include "run/network/loss_scaler.hpp"

namespace sluice::run {

// Whether every number that the batch feeds is finite.
[[nodiscard]] bool is_finite(const data::Batch& batch);

// The layer nearest to the loss of those that have a gradient of a parameter that is not finite: backward met it first.
// `read` gives the elements of that many numbers of the flat gradients, from an offset on, in host memory.
using ReadGradients = std::function<std::span<const float>(std::uint64_t offset, std::uint64_t count)>;
[[nodiscard]] std::optional<std::string> overflowing_layer(const plan::Graph& graph, const plan::Layout& layout,
                                                           const ReadGradients& read);

// Why a run stops where `what` ("the loss of step 3") is not finite: `layer` is the first whose output is not either.
// And what usually helps. Fewer bits are named where the graph stores any: with infinities of float16 the other 16-bit
// type may do.
[[nodiscard]] std::string why_it_diverged(const std::string& what, double value, const plan::Graph& graph,
                                          const std::string& layer);

// Why a run stops after too many skipped steps, and what helps. `place`: "in a gradient of layer 'x'"; in_forward: the
// loss itself was not finite, and so its scale is not to blame.
[[nodiscard]] std::string why_it_gives_up(const LossScaler& scaler, const LossScale& scale, const std::string& place,
                                          bool in_forward);

}  // namespace sluice::run
