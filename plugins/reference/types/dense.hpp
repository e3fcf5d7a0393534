// dense: y[..., o] = bias[o] + sum over i of kernel[o, i] * x[..., i].
#pragma once

#include "sluice/sdk/layer.hpp"

namespace sluice::reference {

class Dense : public sdk::Layer {
public:
    Dense(sdk::Host host, const sdk::Options& options);
    [[nodiscard]] sluice_layer_traits traits() const override;
    // input [N, ..., I]; output [N, ..., O]; parameters "kernel" [O, I], "bias" [O].
    void infer(std::span<const sluice_tensor_spec> inputs, const sdk::LayerSink& sink) const override;

private:
    std::int64_t units_;
    bool bias_;
    std::int32_t initializer_;
};

}  // namespace sluice::reference
