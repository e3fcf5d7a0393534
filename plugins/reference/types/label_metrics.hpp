// Metrics of scores [N, ..., K] against class numbers [N, ...], or probabilities [N, ..., K] of which the highest tells
// the class. The predicted class is the one with the highest score, of equal ones the first. Where nothing counts the
// value is not a number.
#pragma once

#include "types/class_labels.hpp"

namespace sluice::reference {

// The share of places whose class is predicted. The output [N, 2] holds for each sample how many, and of how many.
class Accuracy : public sdk::Layer {
public:
    Accuracy(sdk::Host, const sdk::Options& options) : ignored_(ignored_label(options)) {}
    [[nodiscard]] sluice_layer_traits traits() const override;
    void infer(std::span<const sluice_tensor_spec> inputs, const sdk::LayerSink& sink) const override;
    [[nodiscard]] double finalize(std::span<const double> sums) const override;

private:
    IgnoredLabel ignored_;
};

// The share of places whose class is among the k highest scores; output as that of Accuracy.
class TopK : public sdk::Layer {
public:
    TopK(sdk::Host, const sdk::Options& options) : k_(options.integer("k")), ignored_(ignored_label(options)) {}
    [[nodiscard]] sluice_layer_traits traits() const override;
    void infer(std::span<const sluice_tensor_spec> inputs, const sdk::LayerSink& sink) const override;
    [[nodiscard]] double finalize(std::span<const double> sums) const override;

private:
    std::int64_t k_;
    IgnoredLabel ignored_;
};

// Places that have a class both in prediction and target, over those that have it in either: summed over the whole set,
// then the mean over the classes that occur. The output [N, 2K] holds the K first, then the K second counts.
class MeanIou : public sdk::Layer {
public:
    MeanIou(sdk::Host, const sdk::Options& options) : ignored_(ignored_label(options)) {}
    [[nodiscard]] sluice_layer_traits traits() const override;
    void infer(std::span<const sluice_tensor_spec> inputs, const sdk::LayerSink& sink) const override;
    [[nodiscard]] double finalize(std::span<const double> sums) const override;

private:
    IgnoredLabel ignored_;
};

}  // namespace sluice::reference
