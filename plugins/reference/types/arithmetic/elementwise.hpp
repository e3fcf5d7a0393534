// Layers whose output element i depends only on element i of each input: add, scale.
#pragma once

#include "sluice/sdk/layer.hpp"

namespace sluice::reference {

// The sum of two or more tensors of one shape.
class Add : public sdk::Layer {
public:
    Add(sdk::Host, const sdk::Options&) {}
    [[nodiscard]] sluice_layer_traits traits() const override;
    void infer(std::span<const sluice_tensor_spec> inputs, const sdk::LayerSink& sink) const override;
};

// y = factor * x
class Scale : public sdk::Layer {
public:
    Scale(sdk::Host, const sdk::Options&) {}
    [[nodiscard]] sluice_layer_traits traits() const override;
    void infer(std::span<const sluice_tensor_spec> inputs, const sdk::LayerSink& sink) const override;
};

}  // namespace sluice::reference
