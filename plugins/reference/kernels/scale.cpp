// scale, forward and backward.
#include "kernels/kernels.hpp"
#include "kernels/loops.hpp"

namespace sluice::reference {
namespace {

template <class T>
class ScaleKernel : public NodeKernel<T> {
public:
    explicit ScaleKernel(const sdk::Node& node)
        : NodeKernel<T>(node),
          n_(sdk::element_count(node.inputs()[0])),
          factor_(static_cast<T>(node.options().number("factor"))) {}

    void forward(const sluice_launch& launch) override {
        const T* const x = sdk::input<T>(launch, 0);
        T* const y = sdk::output<T>(launch, 0);
        for_each_element(launch, n_, [=, factor = factor_](std::int64_t i) { y[i] = factor * x[i]; });
    }

    void backward(const sluice_launch& launch) override {
        const T* const dy = sdk::output_gradient<T>(launch, 0);
        this->write_gradient(launch, 0, n_, [=, factor = factor_](std::int64_t i) { return factor * dy[i]; });
    }

private:
    std::int64_t n_;
    T factor_;
};

}  // namespace

KernelPtr make_scale(const sdk::Node& node, const sdk::KernelSink& sink) {
    sink.may_overwrite(0, 0);
    sink.may_overwrite_gradient(0, 0);
    return make_typed<ScaleKernel>(node);
}

}  // namespace sluice::reference
