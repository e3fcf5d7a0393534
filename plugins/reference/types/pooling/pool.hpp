// Poolings of [N, H, W, C]: each channel by itself, over a window or over the whole image.
#pragma once

#include "sluice/sdk/layer.hpp"
#include "types/pooling/pool_geometry.hpp"

namespace sluice::reference {

// The largest element of each window; padding is never the largest. Of equal elements the first, in the order of rows,
// gets the gradient.
class MaxPool : public sdk::Layer {
public:
    MaxPool(sdk::Host, const sdk::Options& options) : window_("max_pool", options) {}
    [[nodiscard]] sluice_layer_traits traits() const override;
    void infer(std::span<const sluice_tensor_spec> inputs, const sdk::LayerSink& sink) const override;

private:
    Window window_;
};

// The mean of each window: of its elements inside the input, or, with count_padding, of all with padding as 0.
class AveragePool : public sdk::Layer {
public:
    AveragePool(sdk::Host, const sdk::Options& options) : window_("average_pool", options) {}
    [[nodiscard]] sluice_layer_traits traits() const override;
    void infer(std::span<const sluice_tensor_spec> inputs, const sdk::LayerSink& sink) const override;

private:
    Window window_;
};

// Output [N, C], or [N, 1, 1, C] with keep_extents.
class GlobalAveragePool : public sdk::Layer {
public:
    GlobalAveragePool(sdk::Host, const sdk::Options& options) : keep_extents_(options.boolean("keep_extents")) {}
    [[nodiscard]] sluice_layer_traits traits() const override;
    void infer(std::span<const sluice_tensor_spec> inputs, const sdk::LayerSink& sink) const override;

private:
    bool keep_extents_;
};

class GlobalMaxPool : public sdk::Layer {
public:
    GlobalMaxPool(sdk::Host, const sdk::Options& options) : keep_extents_(options.boolean("keep_extents")) {}
    [[nodiscard]] sluice_layer_traits traits() const override;
    void infer(std::span<const sluice_tensor_spec> inputs, const sdk::LayerSink& sink) const override;

private:
    bool keep_extents_;
};

}  // namespace sluice::reference
