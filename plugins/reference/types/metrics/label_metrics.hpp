// Metrics of scores [N, ..., K] against class numbers [N, ...], or against probabilities [N, ..., K], of which the
// highest gives the class. The predicted class has the highest score; of equal scores the first counts. If all
// positions are ignored, the value is NaN.
#pragma once

#include "types/class_labels.hpp"

namespace sluice::reference {

// The share of positions whose class is predicted. The output [N, 2] holds for each sample the number of right
// positions, and of all.
class Accuracy : public sdk::Layer {
public:
    Accuracy(sdk::Host, const sdk::Options& options) : ignored_(ignored_label(options)) {}
    [[nodiscard]] sluice_layer_traits traits() const override;
    void infer(std::span<const sluice_tensor_spec> inputs, const sdk::LayerSink& sink) const override;
    [[nodiscard]] double finalize(std::span<const double> sums) const override;

private:
    IgnoredLabel ignored_;
};

// The share of positions whose class is among the k highest scores; output as that of Accuracy.
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

// Intersection over union: the positions that have a class both in prediction and target, over those that have it in
// either. Both are summed over the whole set; the value is the mean over the classes that occur. The output [N, 2K]
// holds the K intersections, then the K unions.
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
