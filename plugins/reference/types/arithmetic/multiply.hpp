// multiply: the product of two or more tensors of one rank. An extent of 1 is broadcast to that of the others, except
// that of the samples: so [N, 1, 1, C] gates the channels of [N, H, W, C].
#pragma once

#include "sluice/sdk/layer.hpp"

namespace sluice::reference {

class Multiply : public sdk::Layer {
public:
    Multiply(sdk::Host, const sdk::Options&) {}
    [[nodiscard]] sluice_layer_traits traits() const override;
    void infer(std::span<const sluice_tensor_spec> inputs, const sdk::LayerSink& sink) const override;
};

}  // namespace sluice::reference
