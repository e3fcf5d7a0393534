// softmax_cross_entropy; see types/label_losses.hpp. With w the class weights, s the smoothing and p the softmax:
// d/dx[j] = (1 - s) w[y] (p[j] - [j = y]) + s / K (p[j] sum(w) - w[j]).
#include <algorithm>
#include <cmath>
#include <numeric>
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
          places_(sdk::element_count(node.inputs()[1]) / samples_),
          classes_(sdk::element_count(node.inputs()[0]) / samples_ / places_),
          label_type_(node.inputs()[1].dtype),
          ignored_(ignored_label(node.options())),
          smoothing_(node.options().number("label_smoothing")),
          weights_(static_cast<std::size_t>(classes_), 1.0) {
        if (node.options().has("class_weights")) {
            weights_ = node.options().numbers("class_weights");
        }
        weight_sum_ = std::accumulate(weights_.begin(), weights_.end(), 0.0);
    }

    // output [N, 2]: the sum over the sample's places, their weight
    void forward(const sluice_launch& launch) override {
        const T* const scores = sdk::input<T>(launch, 0);
        const Targets targets(launch.inputs[1], label_type_, ignored_);
        float* const out = sdk::output<float>(launch, 0);
        const std::int64_t grain = grain_of(places_ * classes_);
        sdk::parallel_for(launch.threads, samples_, grain, [&](std::int64_t begin, std::int64_t end, std::uint32_t) {
            for (std::int64_t n = begin; n < end; ++n) {
                double sum = 0.0;
                double weight = 0.0;
                for (std::int64_t i = n * places_; i < (n + 1) * places_; ++i) {
                    if (const auto label = targets[i]) {
                        sum += loss(scores + i * classes_, *label);
                        weight += weight_of(*label);
                    }
                }
                out[2 * n] = static_cast<float>(sum);
                out[2 * n + 1] = static_cast<float>(weight);
            }
        });
    }

    void backward(const sluice_launch& launch) override {
        T* const to = sdk::input_gradient<T>(launch, 0);
        if (to == nullptr) {
            return;
        }
        const T* const scores = sdk::input<T>(launch, 0);
        const Targets targets(launch.inputs[1], label_type_, ignored_);
        const double seed = launch.scalars->loss_seed;
        sdk::parallel_for(launch.threads, samples_ * places_, grain_of(classes_),
                          [&](std::int64_t begin, std::int64_t end, std::uint32_t) {
                              for (std::int64_t i = begin; i < end; ++i) {
                                  put_gradient(to + i * classes_, scores + i * classes_, targets[i], seed);
                              }
                          });
    }

private:
    [[nodiscard]] double weight_of(std::int64_t label) const { return weights_[static_cast<std::size_t>(label)]; }

    // log of the sum of exp(x), without overflow
    [[nodiscard]] double log_sum(const T* x) const {
        const auto most = static_cast<double>(*std::max_element(x, x + classes_));
        double sum = 0.0;
        for (std::int64_t c = 0; c < classes_; ++c) {
            sum += std::exp(static_cast<double>(x[c]) - most);
        }
        return most + std::log(sum);
    }

    [[nodiscard]] double loss(const T* x, std::int64_t label) const {
        const double all = log_sum(x);
        const double exact = weight_of(label) * (all - static_cast<double>(x[label]));
        if (smoothing_ == 0.0) {
            return exact;
        }
        double smooth = 0.0;
        for (std::int64_t c = 0; c < classes_; ++c) {
            smooth += weight_of(c) * (all - static_cast<double>(x[c]));
        }
        return (1.0 - smoothing_) * exact + smoothing_ / static_cast<double>(classes_) * smooth;
    }

    void put_gradient(T* to, const T* x, const std::optional<std::int64_t>& label, double seed) const {
        const double all = label ? log_sum(x) : 0.0;
        const double exact = label ? (1.0 - smoothing_) * weight_of(*label) : 0.0;
        const double smooth = label ? smoothing_ / static_cast<double>(classes_) : 0.0;
        for (std::int64_t c = 0; c < classes_; ++c) {
            const double p = label ? std::exp(static_cast<double>(x[c]) - all) : 0.0;
            const double slope = exact * (p - (label == c ? 1.0 : 0.0)) + smooth * (p * weight_sum_ - weight_of(c));
            put(to + c, seed * slope, this->adds_gradient(0));
        }
    }

    std::int64_t samples_;
    std::int64_t places_;  // of one sample
    std::int64_t classes_;
    sluice_dtype label_type_;
    IgnoredLabel ignored_;
    double smoothing_;
    std::vector<double> weights_;
    double weight_sum_ = 0.0;
};

}  // namespace

KernelPtr make_softmax_cross_entropy(const sdk::Node& node, const sdk::KernelSink& sink) {
    sink.backward_reads_input(0);
    sink.backward_reads_input(1);
    return make_typed<SoftmaxCrossEntropyKernel>(node);
}

}  // namespace sluice::reference
