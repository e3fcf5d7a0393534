// gate: the first half of the channels times the second half (Chen et al., 2022): [N, ..., 2 C] becomes [N, ..., C].
#pragma once

#include "sluice/sdk/layer.hpp"

namespace sluice::reference {

class Gate : public sdk::Layer {
public:
    Gate(sdk::Host, const sdk::Options&) {}
    [[nodiscard]] sluice_layer_traits traits() const override;
    void infer(std::span<const sluice_tensor_spec> inputs, const sdk::LayerSink& sink) const override;
};

}  // namespace sluice::reference
