// Asks cuDNN's heuristics how a convolution can be computed, and makes plans from their proposals.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "conv/pass.hpp"

namespace sluice::cudnn {

// Returns passes that compute the problem on the target, likely fastest first. Empty: cuDNN has none within the limits.
// Each pass takes up to a second of host time to make.
std::vector<std::unique_ptr<ConvPass>> passes_for(const ConvProblem& problem, const Target& target,
                                                  const EngineLimits& limits, std::uint64_t workspace);

// Returns the first of them that is accepted, without making those after it. NULL: there is none.
std::unique_ptr<ConvPass> first_pass_for(const ConvProblem& problem, const Target& target, const EngineLimits& limits,
                                         std::uint64_t workspace, const std::function<bool(const ConvPass&)>& accepts);

}  // namespace sluice::cudnn
