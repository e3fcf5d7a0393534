// tanh, forward and backward: dx = dy * (1 - y^2).
#include <cmath>

#include "kernels/kernels.hpp"
#include "kernels/loops.hpp"

namespace sluice::reference {
namespace {

template <class T>
class TanhKernel : public NodeKernel<T> {
public:
    explicit TanhKernel(const sdk::Node& node) : NodeKernel<T>(node), n_(sdk::element_count(node.inputs()[0])) {}

    void forward(const sluice_launch& launch) override {
        const T* const x = sdk::input<T>(launch, 0);
        T* const y = sdk::output<T>(launch, 0);
        for_each_element(launch, n_, [=](std::int64_t i) { y[i] = std::tanh(x[i]); });
    }

    void backward(const sluice_launch& launch) override {
        const T* const y = sdk::output<T>(launch, 0);
        const T* const dy = sdk::output_gradient<T>(launch, 0);
        this->write_gradient(launch, 0, n_, [=](std::int64_t i) { return dy[i] * (T{1} - y[i] * y[i]); });
    }

private:
    std::int64_t n_;
};

}  // namespace

KernelPtr make_tanh(const sdk::Node& node, const sdk::KernelSink& sink) {
    sink.backward_reads_output(0);
    sink.may_overwrite(0, 0);
    sink.may_overwrite_gradient(0, 0);
    return make_typed<TanhKernel>(node);
}

}  // namespace sluice::reference
