// flatten: all axes after the first become one, in the order of memory: height, width, channel.
#pragma once

#include "sluice/sdk/layer.hpp"

namespace sluice::reference {

class Flatten : public sdk::Layer {
public:
    Flatten(sdk::Host, const sdk::Options&) {}
    [[nodiscard]] sluice_layer_traits traits() const override;
    // input [N, ...]; output [N, F]
    void infer(std::span<const sluice_tensor_spec> inputs, const sdk::LayerSink& sink) const override;
};

}  // namespace sluice::reference
