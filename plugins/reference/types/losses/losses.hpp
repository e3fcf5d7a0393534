// Losses over (prediction, target), two tensors of one shape [N, ...]. The output [N, 2] float32 holds for each sample
// the sum over its elements and their number.
#pragma once

#include "sluice/sdk/layer.hpp"

namespace sluice::reference {

// |prediction - target|; its derivative is 0 where they are equal.
class MeanAbsoluteError : public sdk::Layer {
public:
    MeanAbsoluteError(sdk::Host, const sdk::Options&) {}
    [[nodiscard]] sluice_layer_traits traits() const override;
    void infer(std::span<const sluice_tensor_spec> inputs, const sdk::LayerSink& sink) const override;
};

// (prediction - target)^2
class MeanSquaredError : public sdk::Layer {
public:
    MeanSquaredError(sdk::Host, const sdk::Options&) {}
    [[nodiscard]] sluice_layer_traits traits() const override;
    void infer(std::span<const sluice_tensor_spec> inputs, const sdk::LayerSink& sink) const override;
};

// sqrt((prediction - target)^2 + epsilon^2)
class Charbonnier : public sdk::Layer {
public:
    Charbonnier(sdk::Host, const sdk::Options& options);
    [[nodiscard]] sluice_layer_traits traits() const override;
    void infer(std::span<const sluice_tensor_spec> inputs, const sdk::LayerSink& sink) const override;
};

}  // namespace sluice::reference
