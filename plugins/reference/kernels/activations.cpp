// leaky_relu, relu6, gelu, silu and sigmoid. They differ in the function and its derivative, and in whether the
// derivative is computed from the function's value or from its argument.
#include <cmath>
#include <numbers>

#include "kernels/kernels.hpp"
#include "kernels/loops.hpp"

namespace sluice::reference {
namespace {

template <class T>
T logistic(T x) {
    return T{1} / (T{1} + std::exp(-x));
}

template <class T>
struct LeakyReluFunction {
    explicit LeakyReluFunction(const sdk::Options& options) : slope_below(static_cast<T>(options.number("slope"))) {}
    [[nodiscard]] T value(T x) const { return x < T{0} ? slope_below * x : x; }
    [[nodiscard]] T slope_from_value(T y) const { return y > T{0} ? T{1} : slope_below; }
    T slope_below;
};

template <class T>
struct Relu6Function {
    explicit Relu6Function(const sdk::Options&) {}
    static constexpr T kMost{6};
    [[nodiscard]] T value(T x) const { return x < T{0} ? T{0} : x > kMost ? kMost : x; }
    [[nodiscard]] T slope_from_value(T y) const { return y > T{0} && y < kMost ? T{1} : T{0}; }
};

template <class T>
struct SigmoidFunction {
    explicit SigmoidFunction(const sdk::Options&) {}
    [[nodiscard]] T value(T x) const { return logistic(x); }
    [[nodiscard]] T slope_from_value(T y) const { return y * (T{1} - y); }
};

template <class T>
struct SiluFunction {
    explicit SiluFunction(const sdk::Options&) {}
    [[nodiscard]] T value(T x) const { return x * logistic(x); }
    [[nodiscard]] T slope(T x) const {
        const T s = logistic(x);
        return s * (T{1} + x * (T{1} - s));
    }
};

template <class T>
struct GeluFunction {
    explicit GeluFunction(const sdk::Options&) {}
    // erfc instead of 1 + erf, so that the tail below 0 keeps its digits.
    static T distribution(T x) { return T{0.5} * std::erfc(-x / std::numbers::sqrt2_v<T>); }
    [[nodiscard]] T value(T x) const { return x * distribution(x); }
    [[nodiscard]] T slope(T x) const {
        const T density = std::exp(T{-0.5} * x * x) * std::numbers::inv_sqrtpi_v<T> / std::numbers::sqrt2_v<T>;
        return distribution(x) + x * density;
    }
};

template <class T>
struct GeluByTanhFunction {
    static constexpr T kScale = std::numbers::sqrt2_v<T> * std::numbers::inv_sqrtpi_v<T>;  // sqrt(2 / pi)
    static constexpr T kCubic = T(0.044715);

    explicit GeluByTanhFunction(const sdk::Options&) {}
    static T inner(T x) { return std::tanh(kScale * (x + kCubic * x * x * x)); }
    [[nodiscard]] T value(T x) const { return T{0.5} * x * (T{1} + inner(x)); }
    [[nodiscard]] T slope(T x) const {
        const T t = inner(x);
        return T{0.5} * (T{1} + t) + T{0.5} * x * (T{1} - t * t) * kScale * (T{1} + 3 * kCubic * x * x);
    }
};

template <class T, template <class> class Function>
class ActivationKernel : public NodeKernel<T> {
public:
    static constexpr bool kFromValue = requires(const Function<T>& f) { f.slope_from_value(T{}); };

    explicit ActivationKernel(const sdk::Node& node)
        : NodeKernel<T>(node), function_(node.options()), n_(sdk::element_count(node.inputs()[0])) {}

    void forward(const sluice_launch& launch) override {
        const T* const x = sdk::input<T>(launch, 0);
        T* const y = sdk::output<T>(launch, 0);
        for_each_element(launch, n_, [=, this](std::int64_t i) { y[i] = function_.value(x[i]); });
    }

    void backward(const sluice_launch& launch) override {
        const T* const dy = sdk::output_gradient<T>(launch, 0);
        if constexpr (kFromValue) {
            const T* const y = sdk::output<T>(launch, 0);
            this->write_gradient(launch, 0, n_,
                                 [=, this](std::int64_t i) { return dy[i] * function_.slope_from_value(y[i]); });
        } else {
            const T* const x = sdk::input<T>(launch, 0);
            this->write_gradient(launch, 0, n_, [=, this](std::int64_t i) { return dy[i] * function_.slope(x[i]); });
        }
    }

private:
    Function<T> function_;
    std::int64_t n_;
};

template <template <class> class Function>
KernelPtr make_activation(const sdk::Node& node, const sdk::KernelSink& sink) {
    if (ActivationKernel<double, Function>::kFromValue) {
        sink.backward_reads_output(0);
    } else {
        sink.backward_reads_input(0);
    }
    if (is_float64(node.inputs()[0])) {
        return std::make_unique<ActivationKernel<double, Function>>(node);
    }
    return std::make_unique<ActivationKernel<float, Function>>(node);
}

}  // namespace

KernelPtr make_leaky_relu(const sdk::Node& node, const sdk::KernelSink& sink) {
    return make_activation<LeakyReluFunction>(node, sink);
}

KernelPtr make_relu6(const sdk::Node& node, const sdk::KernelSink& sink) {
    return make_activation<Relu6Function>(node, sink);
}

KernelPtr make_gelu(const sdk::Node& node, const sdk::KernelSink& sink) {
    return node.options().string("approximate") == "tanh" ? make_activation<GeluByTanhFunction>(node, sink)
                                                          : make_activation<GeluFunction>(node, sink);
}

KernelPtr make_silu(const sdk::Node& node, const sdk::KernelSink& sink) {
    return make_activation<SiluFunction>(node, sink);
}

KernelPtr make_sigmoid(const sdk::Node& node, const sdk::KernelSink& sink) {
    return make_activation<SigmoidFunction>(node, sink);
}

}  // namespace sluice::reference
