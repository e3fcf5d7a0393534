// Normalisations within a sample: each part of x is normalised to mean 0 and variance 1, y = gamma * (x - mean) /
// sqrt(variance + epsilon) + beta. The variance is the biased one; training and evaluation are the same.
#pragma once

#include "sluice/sdk/layer.hpp"

namespace sluice::reference {

// A part is a sample's group of neighbouring channels, over all pixels (Wu and He, 2018).
class GroupNorm : public sdk::Layer {
public:
    GroupNorm(sdk::Host, const sdk::Options& options)
        : groups_(options.integer("groups")), affine_(options.boolean("affine")) {}
    [[nodiscard]] sluice_layer_traits traits() const override;
    // input and output [N, ..., C]; with affine, parameters "gamma", "beta" [C].
    void infer(std::span<const sluice_tensor_spec> inputs, const sdk::LayerSink& sink) const override;

private:
    std::int64_t groups_;
    bool affine_;
};

// A part is one channel of one sample, over all pixels (Ulyanov et al., 2016).
class InstanceNorm : public sdk::Layer {
public:
    InstanceNorm(sdk::Host, const sdk::Options& options) : affine_(options.boolean("affine")) {}
    [[nodiscard]] sluice_layer_traits traits() const override;
    // input and output [N, ..., C], at least two pixels; with affine, parameters "gamma", "beta" [C].
    void infer(std::span<const sluice_tensor_spec> inputs, const sdk::LayerSink& sink) const override;

private:
    bool affine_;
};

// A part is the elements along the last `axes` axes (Ba et al., 2016).
class LayerNorm : public sdk::Layer {
public:
    LayerNorm(sdk::Host, const sdk::Options& options)
        : axes_(options.integer("axes")), affine_(options.boolean("affine")) {}
    [[nodiscard]] sluice_layer_traits traits() const override;
    // input and output [N, ...]; with affine, parameters "gamma", "beta" of the last axes' extents.
    void infer(std::span<const sluice_tensor_spec> inputs, const sdk::LayerSink& sink) const override;

private:
    std::int64_t axes_;
    bool affine_;
};

}  // namespace sluice::reference
