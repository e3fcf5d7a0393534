// Asks cuDNN's heuristics how a convolution can be computed, and makes plans of what they propose.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "conv/pass.hpp"

namespace sluice::cudnn {

// Ways to compute the problem on the target, likely the fastest first; none where cuDNN has none within the limits.
// Each costs up to a second of the host.
std::vector<std::unique_ptr<ConvPass>> passes_for(const ConvProblem& problem, const Target& target,
                                                  const EngineLimits& limits, std::uint64_t workspace);

// The first of them that is accepted, without making those after it. NULL: there is none.
std::unique_ptr<ConvPass> first_pass_for(const ConvProblem& problem, const Target& target, const EngineLimits& limits,
                                         std::uint64_t workspace, const std::function<bool(const ConvPass&)>& accepts);

}  // namespace sluice::cudnn
