// Layers between images and activations. Both compute in float32, and no gradient flows through them.
#pragma once

#include <vector>

#include "sluice/sdk/layer.hpp"

namespace sluice::reference {

// The range of activations that an image covers.
struct ValueRange {
    ValueRange(std::string_view layer, const sdk::Options& options);

    double low;
    double high;
};

// y = (x - mean) / std, for each channel.
struct ChannelNorm {
    // Without these options both are empty. Throws SLUICE_INVALID if they do not belong together.
    explicit ChannelNorm(const sdk::Options& options);

    std::vector<double> mean;
    std::vector<double> deviation;
};

// Converts values 0 to 255 (uint8, or float) to float32: y = low + x / 255 * (high - low), then by mean and std of each
// channel if these are given.
class ImageToTensor : public sdk::Layer {
public:
    ImageToTensor(sdk::Host host, const sdk::Options& options);
    [[nodiscard]] sluice_layer_traits traits() const override;
    void infer(std::span<const sluice_tensor_spec> inputs, const sdk::LayerSink& sink) const override;

private:
    ChannelNorm norm_;
};

// Converts activations to float32 in [0, 1]: y = clamp((x - low) / (high - low), 0, 1).
class TensorToImage : public sdk::Layer {
public:
    TensorToImage(sdk::Host host, const sdk::Options& options);
    [[nodiscard]] sluice_layer_traits traits() const override;
    void infer(std::span<const sluice_tensor_spec> inputs, const sdk::LayerSink& sink) const override;
};

}  // namespace sluice::reference
