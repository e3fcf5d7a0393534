// Metrics over (prediction, target), two tensors of one shape with values in [0, 1]. The output [N, 2] float32 holds
// for each sample its value and 1, so that the sums give the mean over samples.
#pragma once

#include "sluice/sdk/layer.hpp"

namespace sluice::reference {

// Peak signal-to-noise ratio in dB: 10 log10(1 / mean squared error), peak 1, the error at least 1e-10 (100 dB).
class Psnr : public sdk::Layer {
public:
    Psnr(sdk::Host, const sdk::Options&) {}
    [[nodiscard]] sluice_layer_traits traits() const override;
    void infer(std::span<const sluice_tensor_spec> inputs, const sdk::LayerSink& sink) const override;
    [[nodiscard]] double finalize(std::span<const double> sums) const override;
};

// Structural similarity of [N, H, W, C] (Wang et al., "Image quality assessment", 2004): Gaussian windows of 11 x 11,
// deviation 1.5, K1 = 0.01, K2 = 0.03, L = 1, mean over the windows that lie inside the image and over channels. For
// images smaller than 11 the window is the largest odd one that fits.
class Ssim : public sdk::Layer {
public:
    Ssim(sdk::Host, const sdk::Options&) {}
    [[nodiscard]] sluice_layer_traits traits() const override;
    void infer(std::span<const sluice_tensor_spec> inputs, const sdk::LayerSink& sink) const override;
    [[nodiscard]] double finalize(std::span<const double> sums) const override;
};

}  // namespace sluice::reference
