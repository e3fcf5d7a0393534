// The oracle itself is checked here: its gradients against slopes of its own forward.
#pragma once

#include "check/numerics/kernel_run.hpp"

namespace sluice::check {

// Compares the gradients in `results`, of inputs and parameters, with central differences of
// L = sum(output gradient * output), for a loss L = loss seed * sum of its first column. `run` is in float64.
// Returns what is wrong.
std::vector<std::string> wrong_slopes(KernelRun& run, const NodeCase& node, const NodeValues& values,
                                      const KernelResults& results);

}  // namespace sluice::check
