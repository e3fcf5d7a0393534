// relu and leaky_relu: the gradient is taken from the function's value.
#include "cuda/elementwise.cuh"
#include "kernels/kernels.hpp"
#include "kernels/node_kernel.hpp"

namespace sluice::cudnn {
namespace {

struct Relu {
    explicit Relu(const sdk::Options&) {}
    // Written so that NaN, which is not less than 0, stays NaN.
    __device__ float value(float x) const { return x < 0.0F ? 0.0F : x; }
    __device__ float slope(float y) const { return y > 0.0F ? 1.0F : 0.0F; }
};

struct LeakyRelu {
    explicit LeakyRelu(const sdk::Options& options) : below(static_cast<float>(options.number("slope"))) {}
    __device__ float value(float x) const { return x < 0.0F ? below * x : x; }
    __device__ float slope(float y) const { return y > 0.0F ? 1.0F : below; }
    float below;
};

template <class Activation>
struct Value {
    Activation activation;
    __device__ float operator()(float x) const { return activation.value(x); }
};

template <class Activation>
struct Gradient {
    Activation activation;
    __device__ float operator()(float y, float dy) const { return activation.slope(y) * dy; }
};

template <class Activation>
struct Of {
    template <class T>
    class Kernel : public NodeKernel {
    public:
        explicit Kernel(const sdk::Node& node)
            : NodeKernel(node), activation_(node.options()), n_(sdk::element_count(node.inputs()[0])) {}

        void forward(const sluice_launch& launch) override {
            map(launch.stream, sdk::output<T>(launch, 0), n_, false, Value<Activation>{activation_},
                sdk::input<T>(launch, 0));
        }

        void backward(const sluice_launch& launch) override {
            if (T* const to = sdk::input_gradient<T>(launch, 0)) {
                const T* const y = static_cast<const T*>(launch.outputs[0]);
                map(launch.stream, to, n_, adds_gradient(0), Gradient<Activation>{activation_}, y,
                    sdk::output_gradient<T>(launch, 0));
            }
        }

    private:
        Activation activation_;
        std::int64_t n_;
    };
};

template <class Activation>
KernelPtr make(const PlanContext& context) {
    context.sink.backward_reads_output(0);
    context.sink.may_overwrite(0, 0);
    context.sink.may_overwrite_gradient(0, 0);
    return make_typed<Of<Activation>::template Kernel>(context.node());
}

}  // namespace

KernelPtr make_leaky_relu(const PlanContext& context) { return make<LeakyRelu>(context); }
KernelPtr make_relu(const PlanContext& context) { return make<Relu>(context); }

}  // namespace sluice::cudnn
