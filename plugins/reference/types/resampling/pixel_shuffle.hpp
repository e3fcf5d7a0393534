// pixel_shuffle (Shi et al., 2016): [N, H, W, C * factor^2] becomes [N, H * factor, W * factor, C]. Channel
// (c * factor + i) * factor + j of a pixel becomes channel c of pixel (i, j) of a square of factor by factor pixels.
#pragma once

#include "sluice/sdk/layer.hpp"

namespace sluice::reference {

class PixelShuffle : public sdk::Layer {
public:
    PixelShuffle(sdk::Host, const sdk::Options& options) : factor_(options.integer("factor")) {}
    [[nodiscard]] sluice_layer_traits traits() const override;
    void infer(std::span<const sluice_tensor_spec> inputs, const sdk::LayerSink& sink) const override;

private:
    std::int64_t factor_;
};

}  // namespace sluice::reference
