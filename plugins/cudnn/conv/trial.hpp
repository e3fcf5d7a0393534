// Measures ways to compute one convolution.
#pragma once

#include <memory>
#include <vector>

#include "conv/pass.hpp"

namespace sluice::cudnn {

// The index of the pass with the smallest median time, on memory of its own that is given back. passes: not empty.
std::size_t fastest(const ConvProblem& problem, const Handle& handle,
                    const std::vector<std::unique_ptr<ConvPass>>& passes);

}  // namespace sluice::cudnn
