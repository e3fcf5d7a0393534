// Measures ways to compute one convolution.
#pragma once

#include <memory>
#include <vector>

#include "conv/pass.hpp"

namespace sluice::cudnn {

// The pass with the smallest median time, which it has afterwards; on memory of its own that is given back. passes: not
// empty.
std::unique_ptr<ConvPass> take_fastest(const ConvProblem& problem, const Handle& handle,
                                       std::vector<std::unique_ptr<ConvPass>> passes);

}  // namespace sluice::cudnn
