// softmax_cross_entropy; see types/losses/label_losses.hpp. With w the class weights, s the smoothing and t the target,
// 1 at a class number or the probabilities, u[c] = w[c] ((1 - s) t[c] + s / K) is the share of class c. With p the
// softmax the loss is sum_c u[c] (-log p[c]), and d/dx[j] = p[j] sum(u) - u[j].
#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/kernels.hpp"
#include "kernels/loops.hpp"
#include "types/class_labels.hpp"

namespace sluice::reference {
namespace {

template <class T>
class SoftmaxCrossEntropyKernel : public NodeKernel<T> {
public:
    explicit SoftmaxCrossEntropyKernel(const sdk::Node& node)
        : NodeKernel<T>(node),
          samples_(node.inputs()[0].shape[0]),
          classes_(node.inputs()[0].shape[node.inputs()[0].rank - 1]),
          positions_(sdk::element_count(node.inputs()[0]) / samples_ / classes_),
          target_type_(node.inputs()[1].dtype),
          ignored_(ignored_label(node.options())),
          smoothing_(node.options().number("label_smoothing")),
          weights_(static_cast<std::size_t>(classes_), 1.0) {
        if (node.options().has("class_weights")) {
            weights_ = node.options().numbers("class_weights");
        }
    }

    // Output [N, 2]: the sum over the sample's positions, and their weight.
    void forward(const sluice_launch& launch) override {
        const T* const scores = sdk::input<T>(launch, 0);
        float* const out = sdk::output<float>(launch, 0);
        const std::int64_t grain = grain_of(positions_ * classes_);
        sdk::parallel_for(launch.threads, samples_, grain, [&](std::int64_t begin, std::int64_t end, std::uint32_t) {
            for (std::int64_t n = begin; n < end; ++n) {
                double sum = 0.0;
                double weight = 0.0;
                for (std::int64_t i = n * positions_; i < (n + 1) * positions_; ++i) {
                    const Target target = target_of(launch, i);
                    sum += target.counts() ? loss(scores + i * classes_, target) : 0.0;
                    weight += weight_of(target);
                }
                out[2 * n] = static_cast<float>(sum);
                out[2 * n + 1] = static_cast<float>(weight);
            }
        });
    }

    void backward(const sluice_launch& launch) override {
        const T* const scores = sdk::input<T>(launch, 0);
        T* const to = sdk::input_gradient<T>(launch, 0);
        T* const to_target = sdk::is_label_type(target_type_) ? nullptr : sdk::input_gradient<T>(launch, 1);
        const double seed = launch.scalars->loss_seed;
        sdk::parallel_for(launch.threads, samples_ * positions_, grain_of(classes_),
                          [&](std::int64_t begin, std::int64_t end, std::uint32_t) {
                              for (std::int64_t i = begin; i < end; ++i) {
                                  const T* const x = scores + i * classes_;
                                  if (to != nullptr) {
                                      put_gradient(to + i * classes_, x, target_of(launch, i), seed);
                                  }
                                  if (to_target != nullptr) {
                                      put_target_gradient(to_target + i * classes_, x, seed);
                                  }
                              }
                          });
    }

private:
    // The target of one position.
    struct Target {
        std::optional<std::int64_t> label;
        const T* probabilities = nullptr;
        [[nodiscard]] bool counts() const { return label || probabilities != nullptr; }
    };

    [[nodiscard]] Target target_of(const sluice_launch& launch, std::int64_t i) const {
        if (sdk::is_label_type(target_type_)) {
            return {.label = Targets(launch.inputs[1], target_type_, ignored_)[i]};
        }
        return {.label = std::nullopt, .probabilities = sdk::input<T>(launch, 1) + i * classes_};
    }

    [[nodiscard]] double class_weight(std::int64_t c) const { return weights_[static_cast<std::size_t>(c)]; }

    [[nodiscard]] double weight_of(const Target& target) const {
        return target.label ? class_weight(*target.label) : target.counts() ? 1.0 : 0.0;
    }

    [[nodiscard]] double share(const Target& target, std::int64_t c) const {
        const double wanted = target.probabilities != nullptr ? static_cast<double>(target.probabilities[c])
                              : target.label == c             ? 1.0
                                                              : 0.0;
        return class_weight(c) * ((1.0 - smoothing_) * wanted + smoothing_ / static_cast<double>(classes_));
    }

    // Returns the log of the sum of exp(x), without overflow.
    [[nodiscard]] double log_sum(const T* x) const {
        const auto most = static_cast<double>(*std::max_element(x, x + classes_));
        double sum = 0.0;
        for (std::int64_t c = 0; c < classes_; ++c) {
            sum += std::exp(static_cast<double>(x[c]) - most);
        }
        return most + std::log(sum);
    }

    [[nodiscard]] double loss(const T* x, const Target& target) const {
        const double all = log_sum(x);
        double sum = 0.0;
        for (std::int64_t c = 0; c < classes_; ++c) {
            const double part = share(target, c);
            sum += part == 0.0 ? 0.0 : part * (all - static_cast<double>(x[c]));
        }
        return sum;
    }

    void put_gradient(T* to, const T* x, const Target& target, double seed) const {
        double all = 0.0;
        double shares = 0.0;
        if (target.counts()) {
            all = log_sum(x);
            for (std::int64_t c = 0; c < classes_; ++c) {
                shares += share(target, c);
            }
        }
        for (std::int64_t c = 0; c < classes_; ++c) {
            const double slope =
                target.counts() ? std::exp(static_cast<double>(x[c]) - all) * shares - share(target, c) : 0.0;
            put(to + c, seed * slope, this->adds_gradient(0));
        }
    }

    void put_target_gradient(T* to, const T* x, double seed) const {
        const double all = log_sum(x);
        for (std::int64_t c = 0; c < classes_; ++c) {
            const double slope = (1.0 - smoothing_) * class_weight(c) * (all - static_cast<double>(x[c]));
            put(to + c, seed * slope, this->adds_gradient(1));
        }
    }

    std::int64_t samples_;
    std::int64_t classes_;
    std::int64_t positions_;  // of one sample
    sluice_dtype target_type_;
    IgnoredLabel ignored_;
    double smoothing_;
    std::vector<double> weights_;
};

}  // namespace

KernelPtr make_softmax_cross_entropy(const sdk::Node& node, const sdk::KernelSink& sink) {
    sink.backward_reads_input(0);
    sink.backward_reads_input(1);
    return make_typed<SoftmaxCrossEntropyKernel>(node);
}

}  // namespace sluice::reference
