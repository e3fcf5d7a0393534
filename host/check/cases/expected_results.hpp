// Cases to run a kernel on, the expected results, and the comparison with them.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "check/cases/claimed_layers.hpp"
#include "check/contract/cases.hpp"

namespace sluice::check {

// Tolerance for float32 results of which sums are made in another order.
constexpr double kSumOrderTolerance = 1e-3;

// Describes the first tensor of `found` that is further from `right` than `tolerance` (see compare.hpp) allows. Returns
// nothing if none is.
std::optional<std::string> first_difference(const NodeSpecs& specs, const KernelResults& found,
                                            const KernelResults& right, double tolerance);

// Returns the results of another provider in float64. Without one it returns nothing, but compares the provider's own
// gradients with finite differences. It does that with one thread, in float64 if the provider claims it, and throws
// Broken if they are wrong.
std::optional<KernelResults> expected_results(ClaimedLayers& claimed, const NodeCase& node);

// Returns nothing if a layer refuses the case, or if the plan leaves the layer out.
std::optional<NodeCase> take(Trial& trial, const registry::Component& type, const registry::CheckCase& check,
                             std::size_t number, bool trains);

// Cases with shapes that no manifest lists.
std::span<const Case> kernel_size_cases();
// Cases with chains of layers.
std::span<const Case> kernel_chain_cases();

}  // namespace sluice::check
