// upsample: repeats every pixel factor x factor times (nearest neighbour): y[n, h, w, c] = x[n, h / f, w / f, c].
#pragma once

#include "sluice/sdk/layer.hpp"

namespace sluice::reference {

class Upsample : public sdk::Layer {
public:
    Upsample(sdk::Host, const sdk::Options& options) : factor_(options.integer("factor")) {}
    [[nodiscard]] sluice_layer_traits traits() const override;
    // input [N, H, W, C]; output [N, factor * H, factor * W, C]
    void infer(std::span<const sluice_tensor_spec> inputs, const sdk::LayerSink& sink) const override;

private:
    std::int64_t factor_;
};

}  // namespace sluice::reference
