// relu, forward and backward.
#include "kernels/kernels.hpp"
#include "kernels/loops.hpp"

namespace sluice::reference {
namespace {

template <class T>
class ReluKernel : public NodeKernel<T> {
public:
    explicit ReluKernel(const sdk::Node& node) : NodeKernel<T>(node), n_(sdk::element_count(node.inputs()[0])) {}

    void forward(const sluice_launch& launch) override {
        const T* const x = sdk::input<T>(launch, 0);
        T* const y = sdk::output<T>(launch, 0);
        // Written so that NaN, which is not less than 0, stays NaN.
        for_each_element(launch, n_, [=](std::int64_t i) { y[i] = x[i] < T{0} ? T{0} : x[i]; });
    }

    void backward(const sluice_launch& launch) override {
        const T* const y = sdk::output<T>(launch, 0);
        const T* const dy = sdk::output_gradient<T>(launch, 0);
        this->write_gradient(launch, 0, n_, [=](std::int64_t i) { return y[i] > T{0} ? dy[i] : T{0}; });
    }

private:
    std::int64_t n_;
};

}  // namespace

KernelPtr make_relu(const sdk::Node& node, const sdk::KernelSink& sink) {
    sink.backward_reads_output(0);
    sink.may_overwrite(0, 0);
    sink.may_overwrite_gradient(0, 0);
    return make_typed<ReluKernel>(node);
}

}  // namespace sluice::reference
