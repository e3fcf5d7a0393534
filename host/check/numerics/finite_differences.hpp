// Compares the gradients of a kernel, such as the oracle's, with slopes of its own forward.
#pragma once

#include "check/numerics/kernel_run.hpp"

namespace sluice::check {

// Compares the gradients in `results`, of inputs and parameters, with central differences of L = sum(output gradient *
// output), for a loss L = loss seed * sum of its first column. Float32 outputs get a wider tolerance (see
// tolerances.hpp). Returns a message for each wrong gradient.
std::vector<std::string> wrong_slopes(KernelRun& run, const NodeCase& node, const NodeValues& values,
                                      const KernelResults& results);

}  // namespace sluice::check
