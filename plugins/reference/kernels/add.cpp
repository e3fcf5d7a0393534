// add, forward and backward: every input's gradient is the output's.
#include <algorithm>

#include "kernels/kernels.hpp"
#include "kernels/loops.hpp"

namespace sluice::reference {
namespace {

template <class T>
class AddKernel : public NodeKernel<T> {
public:
    explicit AddKernel(const sdk::Node& node)
        : NodeKernel<T>(node), n_(sdk::element_count(node.inputs()[0])), inputs_(node.inputs().size()) {}

    void forward(const sluice_launch& launch) override {
        const T* const a = sdk::input<T>(launch, 0);
        const T* const b = sdk::input<T>(launch, 1);
        T* const y = sdk::output<T>(launch, 0);
        for_each_element(launch, n_, [=](std::int64_t i) { y[i] = a[i] + b[i]; });
        for (std::size_t k = 2; k < inputs_; ++k) {
            const T* const x = sdk::input<T>(launch, k);
            for_each_element(launch, n_, [=](std::int64_t i) { y[i] += x[i]; });
        }
    }

    void backward(const sluice_launch& launch) override {
        const T* const dy = sdk::output_gradient<T>(launch, 0);
        for (std::size_t k = 0; k < inputs_; ++k) {
            this->write_gradient(launch, k, n_, [=](std::int64_t i) { return dy[i]; });
        }
    }

private:
    std::int64_t n_;
    std::size_t inputs_;
};

}  // namespace

KernelPtr make_add(const sdk::Node& node, const sdk::KernelSink& sink) {
    // The sum of the first two is written before the others are read.
    for (std::uint32_t i = 0; i < std::min<std::size_t>(2, node.inputs().size()); ++i) {
        sink.may_overwrite(i, 0);
        sink.may_overwrite_gradient(0, i);
    }
    return make_typed<AddKernel>(node);
}

}  // namespace sluice::reference
