// gate: a thread takes one element of each half.
#include "cuda/divide.cuh"
#include "cuda/launch.cuh"
#include "kernels/node_kernel.hpp"

namespace sluice::cudnn {
namespace {

// The place in the input of element i of the output; its partner is `half` elements after it.
__device__ inline std::uint32_t first_of_gate(std::uint32_t i, const Divider& half) {
    std::uint32_t row = i;
    const std::uint32_t channel = half.split(row);
    return row * 2 * half.divisor() + channel;
}

template <class T>
__global__ void gate_kernel(T* to, const T* from, std::uint32_t n, Divider half) {
    for (auto i = static_cast<std::uint32_t>(first_index()); i < n; i += index_stride()) {
        const std::uint32_t at = first_of_gate(i, half);
        to[i] = from_float<T>(to_float(from[at]) * to_float(from[at + half.divisor()]));
    }
}

template <class T>
__global__ void gate_gradient_kernel(T* to, const T* from, const T* gradient, std::uint32_t n, Divider half, bool add) {
    for (auto i = static_cast<std::uint32_t>(first_index()); i < n; i += index_stride()) {
        const std::uint32_t at = first_of_gate(i, half);
        const std::uint32_t other = at + half.divisor();
        const float dy = to_float(gradient[i]);
        const float first = dy * to_float(from[other]);
        const float second = dy * to_float(from[at]);
        to[at] = from_float<T>(add ? to_float(to[at]) + first : first);
        to[other] = from_float<T>(add ? to_float(to[other]) + second : second);
    }
}

template <class T>
class Gate : public NodeKernel {
public:
    explicit Gate(const sdk::Node& node)
        : NodeKernel(node),
          n_(static_cast<std::uint32_t>(sdk::element_count(node.outputs()[0]))),
          half_(node.outputs()[0].shape[node.outputs()[0].rank - 1]) {}

    void forward(const sluice_launch& launch) override {
        cudnn::launch(launch.stream, blocks_for(n_), kThreads, gate_kernel<T>, sdk::output<T>(launch, 0),
                      sdk::input<T>(launch, 0), n_, half_);
    }

    void backward(const sluice_launch& launch) override {
        if (T* const to = sdk::input_gradient<T>(launch, 0)) {
            cudnn::launch(launch.stream, blocks_for(n_), kThreads, gate_gradient_kernel<T>, to,
                          sdk::input<T>(launch, 0), sdk::output_gradient<T>(launch, 0), n_, half_, adds_gradient(0));
        }
    }

private:
    std::uint32_t n_;  // elements of the output
    Divider half_;     // channels of the output
};

}  // namespace

KernelPtr make_gate(const PlanContext& context) {
    if (context.node().trains()) {
        context.sink.backward_reads_input(0);
    }
    context.sink.note("own pass");
    return make_typed<Gate>(context.node());
}

}  // namespace sluice::cudnn
