// What is right for a chain: its layers one by one, each on a provider that computes it alone, in float64 or, where
// that provider has none, in float32.
#pragma once

#include <span>

#include "check/numerics/kernel_run.hpp"
#include "check/numerics/providers.hpp"

namespace sluice::check {

// oracles: one for each layer of the chain. Throws Error where one of them fails.
KernelResults run_node_by_node(const NodeCase& chain, const NodeValues& values,
                               std::span<const Provider* const> oracles);

}  // namespace sluice::check
