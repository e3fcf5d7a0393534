// upsample: enlarges an image by a whole factor f. nearest: repeats every pixel, y[n, h, w, c] = x[n, h / f, w / f, c].
// bilinear: interpolates between the four nearest pixels. There the centre of output pixel o lies at (o + 0.5) / f -
// 0.5 of the input, and the edge pixel is repeated beyond the outermost centres (align_corners = False in PyTorch,
// Keras' way).
#pragma once

#include "sluice/sdk/layer.hpp"

namespace sluice::reference {

class Upsample : public sdk::Layer {
public:
    Upsample(sdk::Host, const sdk::Options& options)
        : factor_(options.integer("factor")), copies_(options.string("mode") == "nearest") {}
    [[nodiscard]] sluice_layer_traits traits() const override;
    // input [N, H, W, C]; output [N, factor * H, factor * W, C]
    void infer(std::span<const sluice_tensor_spec> inputs, const sdk::LayerSink& sink) const override;

private:
    std::int64_t factor_;
    bool copies_;
};

}  // namespace sluice::reference
