// flatten, forward and backward: a copy, or nothing if input and output share memory.
#include "kernels/kernels.hpp"
#include "kernels/loops.hpp"

namespace sluice::reference {
namespace {

template <class T>
class FlattenKernel : public NodeKernel<T> {
public:
    FlattenKernel(const sdk::Node& node, const sdk::KernelSink& sink)
        : NodeKernel<T>(node), n_(sdk::element_count(node.inputs()[0])) {
        sink.may_overwrite(0, 0);
        if (!node.accumulates_gradient(0)) {
            sink.may_overwrite_gradient(0, 0);
        }
    }

    void forward(const sluice_launch& launch) override {
        const T* const x = sdk::input<T>(launch, 0);
        T* const y = sdk::output<T>(launch, 0);
        if (x != y) {
            for_each_element(launch, n_, [=](std::int64_t i) { y[i] = x[i]; });
        }
    }

    void backward(const sluice_launch& launch) override {
        const T* const dy = sdk::output_gradient<T>(launch, 0);
        if (dy != sdk::input_gradient<T>(launch, 0)) {
            this->write_gradient(launch, 0, n_, [=](std::int64_t i) { return dy[i]; });
        }
    }

private:
    std::int64_t n_;
};

}  // namespace

KernelPtr make_flatten(const sdk::Node& node, const sdk::KernelSink& sink) {
    return make_typed<FlattenKernel>(node, sink);
}

}  // namespace sluice::reference
