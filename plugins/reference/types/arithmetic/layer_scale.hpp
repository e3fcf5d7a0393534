// layer_scale (Touvron et al., 2021): each channel times a trained number, parameter "gamma" [C], which is small at
// first.
#pragma once

#include "sluice/sdk/layer.hpp"

namespace sluice::reference {

class LayerScale : public sdk::Layer {
public:
    LayerScale(sdk::Host, const sdk::Options& options) : initial_(options.number("initial")) {}
    [[nodiscard]] sluice_layer_traits traits() const override;
    void infer(std::span<const sluice_tensor_spec> inputs, const sdk::LayerSink& sink) const override;

private:
    double initial_;
};

}  // namespace sluice::reference
