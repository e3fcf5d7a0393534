// Computes the expected results of a chain. Its layers run one by one, each on a provider that computes it alone, in
// float64 if the provider claims it, else in float32.
#pragma once

#include <span>

#include "check/numerics/kernel_run.hpp"
#include "check/numerics/providers.hpp"

namespace sluice::check {

// `oracles` has one provider for each layer of the chain. Throws Error if one of them fails.
KernelResults run_node_by_node(const NodeCase& chain, const NodeValues& values,
                               std::span<const Provider* const> oracles);

}  // namespace sluice::check
