// Losses of scores before any activation (logits) against classes. The output [N, 2] float32 holds for each sample the
// sum over its positions and their weight.
#pragma once

#include <vector>

#include "types/class_labels.hpp"

namespace sluice::reference {

// -log softmax(x)[y] of [N, ..., K] against class numbers y [N, ...], weighted and smoothed as by PyTorch's
// cross_entropy: (1 - s) w[y] (-log p[y]) + s / K sum_c w[c] (-log p[c]), of weight w[y]. Against probabilities t of
// the prediction's shape, whose sum is 1 at each position: sum_c ((1 - s) t[c] + s / K) w[c] (-log p[c]), of weight 1.
class SoftmaxCrossEntropy : public sdk::Layer {
public:
    SoftmaxCrossEntropy(sdk::Host, const sdk::Options& options);
    [[nodiscard]] sluice_layer_traits traits() const override;
    void infer(std::span<const sluice_tensor_spec> inputs, const sdk::LayerSink& sink) const override;

private:
    std::size_t class_weights_;  // how many were given
    IgnoredLabel ignored_;
};

// -p t log s(x) - (1 - t) log(1 - s(x)), s the sigmoid and p the weight of positive targets; each position has weight
// 1. The target holds numbers of 0 to 1 of the prediction's shape, or for [N, ..., 1] class numbers 0 and 1 [N, ...].
class BinaryCrossEntropy : public sdk::Layer {
public:
    BinaryCrossEntropy(sdk::Host, const sdk::Options& options);
    [[nodiscard]] sluice_layer_traits traits() const override;
    void infer(std::span<const sluice_tensor_spec> inputs, const sdk::LayerSink& sink) const override;

private:
    std::size_t positive_weights_;
    IgnoredLabel ignored_;
};

// The mean over classes of 1 - (2 sum(p t) + smooth) / (sum(p) + sum(t) + smooth), with sums over the positions of one
// sample and one class. Each sample has weight 1, or 0 if all its positions are ignored. If the target holds class
// numbers [N, ...], p is the softmax of the prediction, and t is 1 for the class of a position, else 0. If it holds
// numbers of 0 to 1 of the prediction's shape, p is the sigmoid.
class Dice : public sdk::Layer {
public:
    Dice(sdk::Host, const sdk::Options& options) : ignored_(ignored_label(options)) {}
    [[nodiscard]] sluice_layer_traits traits() const override;
    void infer(std::span<const sluice_tensor_spec> inputs, const sdk::LayerSink& sink) const override;

private:
    IgnoredLabel ignored_;
};

}  // namespace sluice::reference
