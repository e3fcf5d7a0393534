// batch_norm: y = gamma * (x - mean) / sqrt(variance + epsilon) + beta, per channel, the last axis (Ioffe and Szegedy,
// 2015). Training uses mean and biased variance of the batch, and updates the running statistics:
// running = momentum * running + (1 - momentum) * batch, with the unbiased variance.
// Evaluation uses the running statistics. synchronized: the batch is that of all replicas.
#pragma once

#include "sluice/sdk/layer.hpp"

namespace sluice::reference {

class BatchNorm : public sdk::Layer {
public:
    BatchNorm(sdk::Host, const sdk::Options& options) : synchronized_(options.boolean("synchronized")) {}
    [[nodiscard]] sluice_layer_traits traits() const override;
    // input and output [N, ..., C]; parameters "gamma", "beta" and states "mean", "variance" [C].
    void infer(std::span<const sluice_tensor_spec> inputs, const sdk::LayerSink& sink) const override;

private:
    bool synchronized_;
};

}  // namespace sluice::reference
