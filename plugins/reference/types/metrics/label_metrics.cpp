#include "types/metrics/label_metrics.hpp"

#include <limits>
#include <string>

namespace sluice::reference {
namespace {

sluice_layer_traits metric_traits(const IgnoredLabel& ignored) {
    return label_traits({.role = SLUICE_ROLE_METRIC,
                         .colour = SLUICE_COLOUR_DENY,
                         .flags = SLUICE_LAYER_NO_GRADIENT | SLUICE_LAYER_HIGHER_IS_BETTER,
                         .inputs = 2},
                        ignored);
}

void report(Specs inputs, std::int64_t sums, const sdk::LayerSink& sink) {
    sink.output(sdk::make_spec(sdk::kFloat32, {inputs[0].shape[0], sums}));
}

void expect_sums(std::string_view layer, std::span<const double> sums, bool right) {
    if (!right) {
        throw sdk::Failure(SLUICE_INVALID,
                           std::string(layer) + ": " + std::to_string(sums.size()) + " sums do not fit its output");
    }
}

// sums: the number of right positions, and of all.
double share_of(std::string_view layer, std::span<const double> sums) {
    expect_sums(layer, sums, sums.size() == 2);
    return sums[1] > 0.0 ? sums[0] / sums[1] : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

sluice_layer_traits Accuracy::traits() const { return metric_traits(ignored_); }
void Accuracy::infer(std::span<const sluice_tensor_spec> inputs, const sdk::LayerSink& sink) const {
    expect_classes("accuracy", inputs, 2, ignored_);
    report(inputs, 2, sink);
}
double Accuracy::finalize(std::span<const double> sums) const { return share_of("accuracy", sums); }

sluice_layer_traits TopK::traits() const { return metric_traits(ignored_); }
void TopK::infer(std::span<const sluice_tensor_spec> inputs, const sdk::LayerSink& sink) const {
    expect_classes("top_k", inputs, 2, ignored_);
    const std::int64_t classes = inputs[0].shape[inputs[0].rank - 1];
    if (k_ > classes) {
        throw sdk::Failure(SLUICE_INVALID, "top_k: k is " + std::to_string(k_) + "; the prediction " +
                                               sdk::describe(inputs[0]) + " has " + std::to_string(classes) +
                                               " classes, and k should not be more");
    }
    report(inputs, 2, sink);
}
double TopK::finalize(std::span<const double> sums) const { return share_of("top_k", sums); }

sluice_layer_traits MeanIou::traits() const { return metric_traits(ignored_); }
void MeanIou::infer(std::span<const sluice_tensor_spec> inputs, const sdk::LayerSink& sink) const {
    expect_classes("mean_iou", inputs, 2, ignored_);
    report(inputs, 2 * inputs[0].shape[inputs[0].rank - 1], sink);
}

double MeanIou::finalize(std::span<const double> sums) const {
    expect_sums("mean_iou", sums, !sums.empty() && sums.size() % 2 == 0);
    const std::size_t classes = sums.size() / 2;
    double total = 0.0;
    double present = 0.0;
    for (std::size_t c = 0; c < classes; ++c) {
        if (sums[classes + c] > 0.0) {
            total += sums[c] / sums[classes + c];
            present += 1.0;
        }
    }
    return present > 0.0 ? total / present : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace sluice::reference
