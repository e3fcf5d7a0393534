// leaky_relu, relu6, sigmoid and tanh compute their gradient from the function's value, gelu and silu from its
// argument.
#include <cmath>
#include <numbers>

#include "cuda/elementwise.cuh"
#include "kernels/kernels.hpp"
#include "kernels/node_kernel.hpp"

namespace sluice::cudnn {
namespace {

__device__ inline float logistic(float x) { return 1.0F / (1.0F + std::exp(-x)); }

struct LeakyRelu {
    static constexpr bool kFromValue = true;
    explicit LeakyRelu(const sdk::Options& options) : below(static_cast<float>(options.number("slope"))) {}
    // NaN, which is not less than 0, stays NaN.
    __device__ float value(float x) const { return x < 0.0F ? below * x : x; }
    __device__ float slope(float y) const { return y > 0.0F ? 1.0F : below; }
    float below;
};

struct Relu6 {
    static constexpr bool kFromValue = true;
    static constexpr float kMost = 6.0F;
    explicit Relu6(const sdk::Options&) {}
    // NaN, which is neither less nor more, stays NaN.
    __device__ float value(float x) const { return x < 0.0F ? 0.0F : x > kMost ? kMost : x; }
    __device__ float slope(float y) const { return y > 0.0F && y < kMost ? 1.0F : 0.0F; }
};

struct Sigmoid {
    static constexpr bool kFromValue = true;
    explicit Sigmoid(const sdk::Options&) {}
    __device__ float value(float x) const { return logistic(x); }
    __device__ float slope(float y) const { return y * (1.0F - y); }
};

struct Tanh {
    static constexpr bool kFromValue = true;
    explicit Tanh(const sdk::Options&) {}
    __device__ float value(float x) const { return std::tanh(x); }
    __device__ float slope(float y) const { return 1.0F - y * y; }
};

struct Silu {
    static constexpr bool kFromValue = false;
    explicit Silu(const sdk::Options&) {}
    __device__ float value(float x) const { return x * logistic(x); }
    __device__ float slope(float x) const {
        const float s = logistic(x);
        return s * (1.0F + x * (1.0F - s));
    }
};

struct Gelu {
    static constexpr bool kFromValue = false;
    static constexpr float kHalfRoot = std::numbers::sqrt2_v<float> / 2.0F;           // sqrt(1 / 2)
    static constexpr float kDensity = std::numbers::inv_sqrtpi_v<float> * kHalfRoot;  // 1 / sqrt(2 pi)

    explicit Gelu(const sdk::Options&) {}
    // With erfc instead of 1 + erf, the tail below 0 keeps its digits.
    __device__ static float distribution(float x) { return 0.5F * std::erfc(-x * kHalfRoot); }
    __device__ float value(float x) const { return x * distribution(x); }
    __device__ float slope(float x) const { return distribution(x) + x * kDensity * std::exp(-0.5F * x * x); }
};

struct GeluByTanh {
    static constexpr bool kFromValue = false;
    static constexpr float kScale = std::numbers::sqrt2_v<float> * std::numbers::inv_sqrtpi_v<float>;  // sqrt(2 / pi)
    static constexpr float kCubic = 0.044715F;

    explicit GeluByTanh(const sdk::Options&) {}
    __device__ static float inner(float x) { return std::tanh(kScale * (x + kCubic * x * x * x)); }
    __device__ float value(float x) const { return 0.5F * x * (1.0F + inner(x)); }
    __device__ float slope(float x) const {
        const float t = inner(x);
        return 0.5F * (1.0F + t) + 0.5F * x * (1.0F - t * t) * kScale * (1.0F + 3.0F * kCubic * x * x);
    }
};

template <class Activation>
struct Value {
    Activation activation;
    __device__ float operator()(float x) const { return activation.value(x); }
};

template <class Activation>
struct Gradient {
    Activation activation;
    // from: the function's value or its argument
    __device__ float operator()(float from, float dy) const { return activation.slope(from) * dy; }
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
                const T* const from = Activation::kFromValue ? sdk::output<T>(launch, 0) : sdk::input<T>(launch, 0);
                map(launch.stream, to, n_, adds_gradient(0), Gradient<Activation>{activation_}, from,
                    sdk::output_gradient<T>(launch, 0));
            }
        }

    private:
        Activation activation_;
        std::int64_t n_;
    };
};

template <class Activation>
KernelPtr make_activation(const PlanContext& context) {
    if (context.node().trains()) {
        Activation::kFromValue ? context.sink.backward_reads_output(0) : context.sink.backward_reads_input(0);
    }
    context.sink.may_overwrite(0, 0);
    context.sink.may_overwrite_gradient(0, 0);
    context.sink.note("own pass");
    return make_typed<Of<Activation>::template Kernel>(context.node());
}

}  // namespace

KernelPtr make_gelu(const PlanContext& context) {
    return context.node().options().string("approximate") == "tanh" ? make_activation<GeluByTanh>(context)
                                                                    : make_activation<Gelu>(context);
}
KernelPtr make_leaky_relu(const PlanContext& context) { return make_activation<LeakyRelu>(context); }
KernelPtr make_relu6(const PlanContext& context) { return make_activation<Relu6>(context); }
KernelPtr make_sigmoid(const PlanContext& context) { return make_activation<Sigmoid>(context); }
KernelPtr make_silu(const PlanContext& context) { return make_activation<Silu>(context); }
KernelPtr make_tanh(const PlanContext& context) { return make_activation<Tanh>(context); }

}  // namespace sluice::cudnn
