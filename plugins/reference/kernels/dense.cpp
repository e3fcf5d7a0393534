// dense, forward and backward. See types/dense.hpp. x is [M, I], y is [M, O].
#include <algorithm>

#include "kernels/kernels.hpp"
#include "kernels/loops.hpp"

namespace sluice::reference {
namespace {

template <class T>
class DenseKernel : public NodeKernel<T> {
public:
    explicit DenseKernel(const sdk::Node& node)
        : NodeKernel<T>(node),
          units_(node.parameters()[0].shape[0]),
          features_(node.parameters()[0].shape[1]),
          rows_(sdk::element_count(node.inputs()[0]) / features_),
          bias_(node.parameters().size() > 1) {}

    void forward(const sluice_launch& launch) override {
        const T* const x = sdk::input<T>(launch, 0);
        const float* const kernel = sdk::parameter(launch, 0);
        const float* const bias = bias_ ? sdk::parameter(launch, 1) : nullptr;
        T* const y = sdk::output<T>(launch, 0);
        for_each_sum(launch, rows_ * units_, features_, [&](std::int64_t at) {
            const T* const row = x + at / units_ * features_;
            const float* const weights = kernel + at % units_ * features_;
            const double sum =
                sum_of(features_, [=](std::int64_t i) { return static_cast<double>(row[i]) * weights[i]; });
            y[at] = static_cast<T>(bias == nullptr ? sum : sum + bias[at % units_]);
        });
    }

    void backward(const sluice_launch& launch) override {
        const T* const x = sdk::input<T>(launch, 0);
        const T* const dy = sdk::output_gradient<T>(launch, 0);
        const float* const kernel = sdk::parameter(launch, 0);
        const bool add = launch.accumulate_parameters != 0;
        if (T* const dx = sdk::input_gradient<T>(launch, 0)) {
            for_each_sum(launch, rows_, features_ * units_, [&](std::int64_t m) {
                const auto put_sum = [&](std::int64_t i, double sum) {
                    put(dx + m * features_ + i, sum, this->adds_gradient(0));
                };
                combine({.count = units_, .step = 1}, dy + m * units_, kernel, put_sum);
            });
        }
        if (float* const to = sdk::parameter_gradient(launch, 0)) {
            for_each_sum(launch, units_, features_ * rows_, [&](std::int64_t o) {
                const auto put_sum = [&](std::int64_t i, double sum) { put(to + o * features_ + i, sum, add); };
                combine({.count = rows_, .step = units_}, dy + o, x, put_sum);
            });
        }
        if (float* const to = bias_ ? sdk::parameter_gradient(launch, 1) : nullptr) {
            for_each_sum(launch, units_, rows_, [&](std::int64_t o) {
                put(to + o,
                    sum_of(rows_, [=, this](std::int64_t m) { return static_cast<double>(dy[m * units_ + o]); }), add);
            });
        }
    }

private:
    struct Terms {
        std::int64_t count;
        std::int64_t step;  // from one factor to the next
    };

    // Calls to(i, sum over t of factors[t * step] * vectors[t, i]) for each of the I features.
    template <class Vector, class To>
    void combine(const Terms& terms, const T* factors, const Vector* vectors, const To& to) const {
        constexpr std::int64_t kDenseChunk = 64;  // sums on the stack
        for (std::int64_t first = 0; first < features_; first += kDenseChunk) {
            const std::int64_t count = std::min(kDenseChunk, features_ - first);
            double sums[kDenseChunk] = {};
            for (std::int64_t t = 0; t < terms.count; ++t) {
                const auto factor = static_cast<double>(factors[t * terms.step]);
                const Vector* const vector = vectors + t * features_ + first;
                for (std::int64_t i = 0; i < count; ++i) {
                    sums[i] += factor * static_cast<double>(vector[i]);
                }
            }
            for (std::int64_t i = 0; i < count; ++i) {
                to(first + i, sums[i]);
            }
        }
    }

    // Calls body(i) for each i of [0, n), in parallel; each call computes `terms` products.
    template <class Body>
    static void for_each_sum(const sluice_launch& launch, std::int64_t n, std::int64_t terms, const Body& body) {
        sdk::parallel_for(launch.threads, n, grain_of(terms), [&](std::int64_t begin, std::int64_t end, std::uint32_t) {
            for (std::int64_t i = begin; i < end; ++i) {
                body(i);
            }
        });
    }

    std::int64_t units_;
    std::int64_t features_;
    std::int64_t rows_;
    bool bias_;
};

}  // namespace

KernelPtr make_dense(const sdk::Node& node, const sdk::KernelSink& sink) {
    sink.backward_reads_input(0);
    return make_typed<DenseKernel>(node);
}

}  // namespace sluice::reference
