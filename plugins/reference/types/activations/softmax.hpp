// softmax: y[..., c] = exp(x[..., c]) / sum over k of exp(x[..., k]), over the last axis.
#pragma once

#include "sluice/sdk/layer.hpp"

namespace sluice::reference {

class Softmax : public sdk::Layer {
public:
    Softmax(sdk::Host, const sdk::Options&) {}
    [[nodiscard]] sluice_layer_traits traits() const override;
    // input and output [N, ..., C]
    void infer(std::span<const sluice_tensor_spec> inputs, const sdk::LayerSink& sink) const override;
};

}  // namespace sluice::reference
