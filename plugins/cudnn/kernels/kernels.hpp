// The makers of all kernels, one per layer type. Each is called by plan() with a chain that refuses() let pass.
#pragma once

#include <memory>

#include "conv/planner.hpp"
#include "sluice/sdk/kernel.hpp"

namespace sluice::cudnn {

struct PlanContext {
    const sdk::Chain& chain;
    const sdk::KernelSink& sink;
    Planner& planner;  // lives as long as the kernels

    [[nodiscard]] sdk::Node node() const { return chain[0]; }
};

using KernelPtr = std::unique_ptr<sdk::Kernel>;

KernelPtr make_conv2d(const PlanContext& context);
KernelPtr make_conv2d_transpose(const PlanContext& context);
KernelPtr make_dense(const PlanContext& context);
KernelPtr make_leaky_relu(const PlanContext& context);
KernelPtr make_relu(const PlanContext& context);

}  // namespace sluice::cudnn
