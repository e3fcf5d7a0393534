// dice; see types/losses/label_losses.hpp. With I = sum(p t), D = sum(p) + sum(t) + smooth and K classes:
// d/dp = a t + b and d/dt = a p + b, where a = -2 / (K D) and b = (2 I + smooth) / (K D^2).
#include <algorithm>
#include <cmath>

#include "kernels/kernels.hpp"
#include "kernels/loops.hpp"
#include "types/class_labels.hpp"

namespace sluice::reference {
namespace {

template <class T>
class DiceKernel : public NodeKernel<T> {
public:
    DiceKernel(const sdk::Node& node, const sdk::KernelSink& sink)
        : NodeKernel<T>(node),
          samples_(node.inputs()[0].shape[0]),
          classes_(node.inputs()[0].shape[node.inputs()[0].rank - 1]),
          positions_(sdk::element_count(node.inputs()[0]) / samples_ / classes_),
          target_type_(node.inputs()[1].dtype),
          has_labels_(sdk::is_label_type(target_type_)),
          ignored_(ignored_label(node.options())),
          smooth_(node.options().number("smooth")) {
        sink.saved(static_cast<std::uint64_t>(samples_ * 2 * classes_) * sizeof(double));
        const std::uint64_t threads = sink.threads() == nullptr ? 1 : sink.threads()->count;
        sink.workspace(threads * kRows * static_cast<std::uint64_t>(classes_) * sizeof(double));
    }

    // Output [N, 2]: the sample's loss, and its weight. Saves [N, 2, K]: a and b of each class.
    void forward(const sluice_launch& launch) override {
        float* const out = sdk::output<float>(launch, 0);
        sdk::parallel_for(launch.threads, samples_, 1, [&](std::int64_t begin, std::int64_t end, std::uint32_t piece) {
            for (std::int64_t n = begin; n < end; ++n) {
                double* const slopes = sdk::saved<double>(launch, 0) + n * 2 * classes_;
                const auto loss = measure(launch, n, rows_of(launch, piece), slopes);
                out[2 * n] = static_cast<float>(loss.value_or(0.0));
                out[2 * n + 1] = loss ? 1.0F : 0.0F;
            }
        });
    }

    void backward(const sluice_launch& launch) override {
        const double seed = launch.scalars->loss_seed;
        T* const to = sdk::input_gradient<T>(launch, 0);
        T* const to_target = sdk::input_gradient<T>(launch, 1);
        const auto part = [&](std::int64_t begin, std::int64_t end, std::uint32_t piece) {
            double* const p = rows_of(launch, piece);
            double* const t = p + classes_;
            for (std::int64_t i = begin; i < end; ++i) {
                const bool counts = read(launch, i, p, t);
                const double* const a = sdk::saved<double>(launch, 0) + i / positions_ * 2 * classes_;
                const double scale = counts ? seed : 0.0;
                if (to != nullptr) {
                    put_gradient(to + i * classes_, p, t, a, scale);
                }
                for (std::int64_t c = 0; c < classes_ && to_target != nullptr; ++c) {
                    put(to_target + i * classes_ + c, scale * (a[c] * p[c] + a[classes_ + c]), this->adds_gradient(1));
                }
            }
        };
        sdk::parallel_for(launch.threads, samples_ * positions_, grain_of(classes_), part);
    }

private:
    static constexpr std::uint64_t kRows = 4;  // of [K], for each thread

    [[nodiscard]] double* rows_of(const sluice_launch& launch, std::uint32_t piece) const {
        return static_cast<double*>(launch.workspace) + static_cast<std::int64_t>(piece * kRows) * classes_;
    }

    // Reads probabilities and targets of position i, counted over all samples. Returns false if the position is
    // ignored.
    bool read(const sluice_launch& launch, std::int64_t i, double* p, double* t) const {
        const T* const x = sdk::input<T>(launch, 0) + i * classes_;
        if (!has_labels_) {
            const T* const target = sdk::input<T>(launch, 1) + i * classes_;
            std::copy_n(target, classes_, t);
            std::transform(x, x + classes_, p,
                           [](T value) { return 1.0 / (1.0 + std::exp(-static_cast<double>(value))); });
            return true;
        }
        const auto label = Targets(launch.inputs[1], target_type_, ignored_)[i];
        const auto most = static_cast<double>(*std::max_element(x, x + classes_));
        double sum = 0.0;
        for (std::int64_t c = 0; c < classes_; ++c) {
            t[c] = label == c ? 1.0 : 0.0;
            p[c] = std::exp(static_cast<double>(x[c]) - most);
            sum += p[c];
        }
        std::for_each(p, p + classes_, [=](double& value) { value /= sum; });
        return label.has_value();
    }

    // Returns the loss of sample n, or nullopt if all its positions are ignored; writes a and b to `slopes`. rows:
    // [kRows, K] of scratch memory.
    std::optional<double> measure(const sluice_launch& launch, std::int64_t n, double* rows, double* slopes) const {
        double* const p = rows;
        double* const t = p + classes_;
        double* const both = t + classes_;
        double* const either = both + classes_;
        std::fill_n(both, classes_, 0.0);
        std::fill_n(either, classes_, smooth_);
        bool counted = false;
        for (std::int64_t i = n * positions_; i < (n + 1) * positions_; ++i) {
            if (read(launch, i, p, t)) {
                counted = true;
                for (std::int64_t c = 0; c < classes_; ++c) {
                    both[c] += p[c] * t[c];
                    either[c] += p[c] + t[c];
                }
            }
        }
        const auto classes = static_cast<double>(classes_);
        double loss = 0.0;
        for (std::int64_t c = 0; c < classes_; ++c) {
            // A class that is neither predicted nor in the target counts as right.
            const double d = either[c];
            const double dice = d > 0.0 ? (2.0 * both[c] + smooth_) / d : 1.0;
            slopes[c] = d > 0.0 ? -2.0 / (classes * d) : 0.0;
            slopes[classes_ + c] = d > 0.0 ? dice / (classes * d) : 0.0;
            loss += (1.0 - dice) / classes;
        }
        return counted ? std::optional(loss) : std::nullopt;
    }

    void put_gradient(T* to, const double* p, const double* t, const double* a, double scale) const {
        const auto slope = [&](std::int64_t c) { return a[c] * t[c] + a[classes_ + c]; };
        double mean = 0.0;
        for (std::int64_t c = 0; c < classes_ && has_labels_; ++c) {
            mean += slope(c) * p[c];
        }
        for (std::int64_t c = 0; c < classes_; ++c) {
            const double inner = has_labels_ ? slope(c) - mean : slope(c) * (1.0 - p[c]);
            put(to + c, scale * p[c] * inner, this->adds_gradient(0));
        }
    }

    std::int64_t samples_;
    std::int64_t classes_;
    std::int64_t positions_;  // of one sample
    sluice_dtype target_type_;
    bool has_labels_;
    IgnoredLabel ignored_;
    double smooth_;
};

}  // namespace

KernelPtr make_dice(const sdk::Node& node, const sdk::KernelSink& sink) {
    sink.backward_reads_input(0);
    sink.backward_reads_input(1);
    return make_typed<DiceKernel>(node, sink);
}

}  // namespace sluice::reference
