// Where numbers stopped being finite.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>

#include "data/loader.hpp"
#include "plan/plan.hpp"

namespace sluice::run {

// Whether every number that the batch feeds is finite.
[[nodiscard]] bool is_finite(const data::Batch& batch);

// The layer nearest to the loss of those that have a gradient of a parameter that is not finite: backward met it first.
// `read` gives the elements of that many numbers of the flat gradients, from an offset on, in host memory.
using ReadGradients = std::function<std::span<const float>(std::uint64_t offset, std::uint64_t count)>;
[[nodiscard]] std::optional<std::string> overflowing_layer(const plan::Graph& graph, const plan::Layout& layout,
                                                           const ReadGradients& read);

// What usually helps where the output of `layer` is not finite. Fewer bits are named where the graph stores any: with
// infinities of float16 the other 16-bit type may do.
[[nodiscard]] std::string cure_of(const plan::Graph& graph, const std::string& layer);

}  // namespace sluice::run
