// mean_absolute_error, mean_squared_error and charbonnier. They differ in the loss of one difference and in its
// derivative.
#include <cmath>

#include "kernels/kernels.hpp"
#include "kernels/loops.hpp"

namespace sluice::reference {
namespace {

struct Absolute {
    explicit Absolute(const sdk::Options&) {}
    static double loss(double difference) { return std::fabs(difference); }
    static double slope(double difference) { return static_cast<double>((difference > 0.0) - (difference < 0.0)); }
};

struct Squared {
    explicit Squared(const sdk::Options&) {}
    static double loss(double difference) { return difference * difference; }
    static double slope(double difference) { return 2.0 * difference; }
};

struct Smoothed {
    explicit Smoothed(const sdk::Options& options) : epsilon(options.number("epsilon")) {}
    [[nodiscard]] double loss(double difference) const { return std::hypot(difference, epsilon); }
    [[nodiscard]] double slope(double difference) const { return difference / loss(difference); }
    double epsilon;
};

template <class Error, class T>
class LossKernel : public NodeKernel<T> {
public:
    explicit LossKernel(const sdk::Node& node)
        : NodeKernel<T>(node),
          error_(node.options()),
          samples_(node.inputs()[0].shape[0]),
          per_sample_(sdk::element_count(node.inputs()[0]) / samples_) {}

    // Output [N, 2]: the sum over the sample, and its number of elements.
    void forward(const sluice_launch& launch) override {
        const T* const x = sdk::input<T>(launch, 0);
        const T* const target = sdk::input<T>(launch, 1);
        float* const out = sdk::output<float>(launch, 0);
        sdk::parallel_for(
            launch.threads, samples_, grain_of(per_sample_), [&](std::int64_t begin, std::int64_t end, std::uint32_t) {
                for (std::int64_t n = begin; n < end; ++n) {
                    const T* const a = x + n * per_sample_;
                    const T* const b = target + n * per_sample_;
                    out[2 * n] = static_cast<float>(
                        sum_of(per_sample_, [=, this](std::int64_t i) { return error_.loss(difference(a, b, i)); }));
                    out[2 * n + 1] = static_cast<float>(per_sample_);
                }
            });
    }

    void backward(const sluice_launch& launch) override {
        const T* const a = sdk::input<T>(launch, 0);
        const T* const b = sdk::input<T>(launch, 1);
        const double seed = launch.scalars->loss_seed;
        const std::int64_t n = samples_ * per_sample_;
        const auto slope = [=, this](std::int64_t i) {
            return static_cast<T>(seed * error_.slope(difference(a, b, i)));
        };
        this->write_gradient(launch, 0, n, slope);
        this->write_gradient(launch, 1, n, [=](std::int64_t i) { return -slope(i); });
    }

private:
    static double difference(const T* a, const T* b, std::int64_t i) {
        return static_cast<double>(a[i]) - static_cast<double>(b[i]);
    }

    Error error_;
    std::int64_t samples_;
    std::int64_t per_sample_;
};

template <class T>
using AbsoluteKernel = LossKernel<Absolute, T>;
template <class T>
using SquaredKernel = LossKernel<Squared, T>;
template <class T>
using CharbonnierKernel = LossKernel<Smoothed, T>;

template <template <class> class K>
KernelPtr make_loss(const sdk::Node& node, const sdk::KernelSink& sink) {
    sink.backward_reads_input(0);
    sink.backward_reads_input(1);
    return make_typed<K>(node);
}

}  // namespace

KernelPtr make_charbonnier(const sdk::Node& node, const sdk::KernelSink& sink) {
    return make_loss<CharbonnierKernel>(node, sink);
}

KernelPtr make_mean_absolute_error(const sdk::Node& node, const sdk::KernelSink& sink) {
    return make_loss<AbsoluteKernel>(node, sink);
}

KernelPtr make_mean_squared_error(const sdk::Node& node, const sdk::KernelSink& sink) {
    return make_loss<SquaredKernel>(node, sink);
}

}  // namespace sluice::reference
