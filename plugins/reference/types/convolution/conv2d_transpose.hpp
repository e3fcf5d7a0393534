// conv2d_transpose: the adjoint of conv2d's sum, y[n, h, w, o] = bias[o] + sum over all p, q, r, s with
// h = p * stride + r - before and w = q * stride + s - before, and over i, of kernel[o, r, s, i] * x[n, p, q, i].
// The kernel is that of torch.nn.ConvTranspose2d with its axes in another order: [I, O, KH, KW] there.
//
// Extents: (in - 1) * stride + kernel - pad + output_padding, as in PyTorch; with padding "same" in * stride, as in
// Keras, which crops the odd element of padding at the end.
#pragma once

#include "sluice/sdk/layer.hpp"
#include "types/convolution/transpose_geometry.hpp"

namespace sluice::reference {

class Conv2dTranspose : public sdk::Layer {
public:
    Conv2dTranspose(sdk::Host host, const sdk::Options& options);
    [[nodiscard]] sluice_layer_traits traits() const override;
    // input [N, H, W, I]; output [N, OH, OW, O]; parameters "kernel" [O, KH, KW, I], "bias" [O].
    void infer(std::span<const sluice_tensor_spec> inputs, const sdk::LayerSink& sink) const override;

private:
    TransposeOptions options_;
    bool bias_;
    std::int32_t initializer_;
};

}  // namespace sluice::reference
