// binary_cross_entropy; see types/losses/label_losses.hpp. With p the weight of positive targets and
// r(x) = log(1 + exp(-x)), computed without overflow as log1p(exp(-|x|)) + max(-x, 0): the loss is
// (1 - t) x + (1 + (p - 1) t) r(x).
#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/kernels.hpp"
#include "kernels/loops.hpp"
#include "types/class_labels.hpp"

namespace sluice::reference {
namespace {

double rest(double x) { return std::log1p(std::exp(-std::fabs(x))) + std::max(-x, 0.0); }

// Targets of T, or class numbers.
template <class T>
class BinaryTargets {
public:
    BinaryTargets(const void* data, sluice_dtype dtype, const IgnoredLabel& ignored)
        : numbers_(sdk::is_label_type(dtype) ? nullptr : static_cast<const T*>(data)), labels_(data, dtype, ignored) {}
    std::optional<double> operator[](std::int64_t i) const {
        if (numbers_ != nullptr) {
            return static_cast<double>(numbers_[i]);
        }
        const auto label = labels_[i];
        return label ? std::optional(static_cast<double>(*label)) : std::nullopt;
    }

private:
    const T* numbers_;
    Targets labels_;
};

template <class T>
class BinaryCrossEntropyKernel : public NodeKernel<T> {
public:
    explicit BinaryCrossEntropyKernel(const sdk::Node& node)
        : NodeKernel<T>(node),
          samples_(node.inputs()[0].shape[0]),
          per_sample_(sdk::element_count(node.inputs()[0]) / samples_),
          target_type_(node.inputs()[1].dtype),
          ignored_(ignored_label(node.options())),
          channels_(node.inputs()[0].shape[node.inputs()[0].rank - 1]),
          weights_(static_cast<std::size_t>(channels_), 1.0) {
        if (node.options().has("pos_weight")) {
            const std::vector<double> given = node.options().numbers("pos_weight");
            weights_ = given.size() == 1 ? std::vector<double>(static_cast<std::size_t>(channels_), given[0]) : given;
        }
    }

    // Output [N, 2]: the sum over the sample, and the number of positions that are not ignored.
    void forward(const sluice_launch& launch) override {
        const T* const x = sdk::input<T>(launch, 0);
        const BinaryTargets<T> targets(launch.inputs[1], target_type_, ignored_);
        float* const out = sdk::output<float>(launch, 0);
        sdk::parallel_for(launch.threads, samples_, grain_of(per_sample_),
                          [&](std::int64_t begin, std::int64_t end, std::uint32_t) {
                              for (std::int64_t n = begin; n < end; ++n) {
                                  double sum = 0.0;
                                  std::int64_t count = 0;
                                  for (std::int64_t i = n * per_sample_; i < (n + 1) * per_sample_; ++i) {
                                      if (const auto t = targets[i]) {
                                          sum += (1.0 - *t) * x[i] + factor(i, *t) * rest(x[i]);
                                          ++count;
                                      }
                                  }
                                  out[2 * n] = static_cast<float>(sum);
                                  out[2 * n + 1] = static_cast<float>(count);
                              }
                          });
    }

    void backward(const sluice_launch& launch) override {
        const T* const x = sdk::input<T>(launch, 0);
        const BinaryTargets<T> targets(launch.inputs[1], target_type_, ignored_);
        const double seed = launch.scalars->loss_seed;
        const std::int64_t n = samples_ * per_sample_;
        this->write_gradient(launch, 0, n, [&](std::int64_t i) {
            const auto t = targets[i];
            const double wrong = 1.0 / (1.0 + std::exp(static_cast<double>(x[i])));  // sigmoid(-x)
            return static_cast<T>(t ? seed * (1.0 - *t - factor(i, *t) * wrong) : 0.0);
        });
        if (!sdk::is_label_type(target_type_)) {
            this->write_gradient(launch, 1, n, [&](std::int64_t i) {
                return static_cast<T>(seed * (factor(i, 1.0) - 1.0) * rest(x[i]) - seed * static_cast<double>(x[i]));
            });
        }
    }

private:
    [[nodiscard]] double factor(std::int64_t i, double target) const {
        return 1.0 + (weights_[static_cast<std::size_t>(i % channels_)] - 1.0) * target;
    }

    std::int64_t samples_;
    std::int64_t per_sample_;
    sluice_dtype target_type_;
    IgnoredLabel ignored_;
    std::int64_t channels_;
    std::vector<double> weights_;  // of positive targets, by channel
};

}  // namespace

KernelPtr make_binary_cross_entropy(const sdk::Node& node, const sdk::KernelSink& sink) {
    sink.backward_reads_input(0);
    sink.backward_reads_input(1);
    return make_typed<BinaryCrossEntropyKernel>(node);
}

}  // namespace sluice::reference
