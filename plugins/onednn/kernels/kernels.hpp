// The makers of all kernels, one per layer type. Each is called by plan() with a chain that refuses() let pass.
#pragma once

#include <memory>

#include "onednn_api.hpp"
#include "sluice/sdk/kernel.hpp"

namespace sluice::onednn {

struct PlanContext {
    const dnnl::engine& engine;
    const sdk::Chain& chain;
    const sdk::KernelSink& sink;
    bool winograd;  // may be used
};

using KernelPtr = std::unique_ptr<sdk::Kernel>;

KernelPtr make_add(const PlanContext& context);
KernelPtr make_average_pool(const PlanContext& context);
KernelPtr make_batch_norm(const PlanContext& context);  // also of the chain batch_norm, relu
KernelPtr make_conv2d(const PlanContext& context);
KernelPtr make_dense(const PlanContext& context);
KernelPtr make_dropout(const PlanContext& context);
KernelPtr make_global_average_pool(const PlanContext& context);
KernelPtr make_global_max_pool(const PlanContext& context);
KernelPtr make_max_pool(const PlanContext& context);
KernelPtr make_relu(const PlanContext& context);
KernelPtr make_scale(const PlanContext& context);
KernelPtr make_softmax(const PlanContext& context);
KernelPtr make_tanh(const PlanContext& context);
KernelPtr make_upsample(const PlanContext& context);

}  // namespace sluice::onednn
