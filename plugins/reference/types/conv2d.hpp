// conv2d: y[n, p, q, o] = bias[o] + sum over r, s, i of kernel[o, r, s, i] * x[n, p * stride + r - before, ...].
// As usual in networks this is a correlation: the kernel is not flipped.
#pragma once

#include "sluice/sdk/layer.hpp"
#include "types/conv_geometry.hpp"

namespace sluice::reference {

class Conv2d : public sdk::Layer {
public:
    Conv2d(sdk::Host host, const sdk::Options& options);
    [[nodiscard]] sluice_layer_traits traits() const override;
    // input [N, H, W, I]; output [N, OH, OW, O]; parameters "kernel" [O, KH, KW, I], "bias" [O].
    void infer(std::span<const sluice_tensor_spec> inputs, const sdk::LayerSink& sink) const override;

private:
    ConvWindow window_;
    bool bias_;
    std::int32_t initializer_;
};

}  // namespace sluice::reference
