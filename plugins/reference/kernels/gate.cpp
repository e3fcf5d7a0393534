// gate: the gradient of each half is the output's times the other half.
#include "kernels/kernels.hpp"
#include "kernels/loops.hpp"

namespace sluice::reference {
namespace {

template <class T>
class GateKernel : public NodeKernel<T> {
public:
    GateKernel(const sdk::Node& node, const sdk::KernelSink& sink)
        : NodeKernel<T>(node),
          n_(sdk::element_count(node.inputs()[0])),
          half_(node.inputs()[0].shape[node.inputs()[0].rank - 1] / 2) {
        if (node.trains()) {
            sink.backward_reads_input(0);
        }
    }

    void forward(const sluice_launch& launch) override {
        const T* const x = sdk::input<T>(launch, 0);
        T* const y = sdk::output<T>(launch, 0);
        for_each_element(launch, n_ / 2, [=, this](std::int64_t i) {
            const std::int64_t at = i / half_ * 2 * half_ + i % half_;
            y[i] = x[at] * x[at + half_];
        });
    }

    void backward(const sluice_launch& launch) override {
        const T* const x = sdk::input<T>(launch, 0);
        const T* const dy = sdk::output_gradient<T>(launch, 0);
        this->write_gradient(launch, 0, n_, [=, this](std::int64_t i) {
            const bool is_first = i / half_ % 2 == 0;
            return dy[i / half_ / 2 * half_ + i % half_] * x[is_first ? i + half_ : i - half_];
        });
    }

private:
    std::int64_t n_;     // elements of the input
    std::int64_t half_;  // channels of the output
};

}  // namespace

KernelPtr make_gate(const sdk::Node& node, const sdk::KernelSink& sink) { return make_typed<GateKernel>(node, sink); }

}  // namespace sluice::reference
