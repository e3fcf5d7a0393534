// softmax, forward and backward: dx = y * (dy - sum of dy * y). See types/activations/softmax.hpp.
#include <algorithm>
#include <cmath>

#include "kernels/kernels.hpp"
#include "kernels/loops.hpp"

namespace sluice::reference {
namespace {

template <class T>
class SoftmaxKernel : public NodeKernel<T> {
public:
    explicit SoftmaxKernel(const sdk::Node& node)
        : NodeKernel<T>(node),
          classes_(node.inputs()[0].shape[node.inputs()[0].rank - 1]),
          rows_(sdk::element_count(node.inputs()[0]) / classes_) {}

    void forward(const sluice_launch& launch) override {
        for_each_row(launch, [&](std::int64_t first) {
            const T* const x = sdk::input<T>(launch, 0) + first;
            T* const y = sdk::output<T>(launch, 0) + first;
            const auto largest = static_cast<double>(*std::max_element(x, x + classes_));
            double sum = 0.0;
            for (std::int64_t c = 0; c < classes_; ++c) {
                sum += std::exp(static_cast<double>(x[c]) - largest);
            }
            for (std::int64_t c = 0; c < classes_; ++c) {
                y[c] = static_cast<T>(std::exp(static_cast<double>(x[c]) - largest) / sum);
            }
        });
    }

    void backward(const sluice_launch& launch) override {
        T* const gradient = sdk::input_gradient<T>(launch, 0);
        if (gradient == nullptr) {
            return;
        }
        for_each_row(launch, [&](std::int64_t first) {
            const T* const y = sdk::output<T>(launch, 0) + first;
            const T* const dy = sdk::output_gradient<T>(launch, 0) + first;
            const double sum = sum_of(classes_, [=](std::int64_t c) { return static_cast<double>(dy[c]) * y[c]; });
            for (std::int64_t c = 0; c < classes_; ++c) {
                put(gradient + first + c, y[c] * (static_cast<double>(dy[c]) - sum), this->adds_gradient(0));
            }
        });
    }

private:
    // Calls body(offset of the row) for each row, in parallel.
    template <class Body>
    void for_each_row(const sluice_launch& launch, const Body& body) const {
        sdk::parallel_for(launch.threads, rows_, grain_of(classes_),
                          [&](std::int64_t begin, std::int64_t end, std::uint32_t) {
                              for (std::int64_t row = begin; row < end; ++row) {
                                  body(row * classes_);
                              }
                          });
    }

    std::int64_t classes_;
    std::int64_t rows_;
};

}  // namespace

KernelPtr make_softmax(const sdk::Node& node, const sdk::KernelSink& sink) {
    sink.backward_reads_output(0);
    return make_typed<SoftmaxKernel>(node);
}

}  // namespace sluice::reference
