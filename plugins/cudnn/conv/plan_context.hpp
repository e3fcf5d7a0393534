// The inputs to planning a kernel.
#pragma once

#include "conv/planner.hpp"
#include "sluice/sdk/kernel.hpp"

namespace sluice::cudnn {

struct PlanContext {
    const sdk::Chain& chain;
    const sdk::KernelSink& sink;
    Planner& planner;  // outlives the kernels

    [[nodiscard]] sdk::Node node() const { return chain[0]; }
};

}  // namespace sluice::cudnn
