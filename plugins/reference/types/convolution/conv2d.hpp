// conv2d: y[n, p, q, o] = bias[o] + sum over r, s, i of
//   kernel[o, r, s, i] * x[n, p * stride + r * dilation - before, ..., o / (O / groups) * I / groups + i].
// As usual in networks this is a correlation: the kernel is not flipped. With as many groups as channels it is the
// depthwise convolution, of O / I filters for each channel.
#pragma once

#include "sluice/sdk/layer.hpp"
#include "types/convolution/conv_geometry.hpp"

namespace sluice::reference {

class Conv2d : public sdk::Layer {
public:
    Conv2d(sdk::Host host, const sdk::Options& options);
    [[nodiscard]] sluice_layer_traits traits() const override;
    // input [N, H, W, I]; output [N, OH, OW, O]; parameters "kernel" [O, KH, KW, I / groups], "bias" [O].
    void infer(std::span<const sluice_tensor_spec> inputs, const sdk::LayerSink& sink) const override;

private:
    ConvOptions options_;
    bool bias_;
    std::int32_t initializer_;
};

}  // namespace sluice::reference
