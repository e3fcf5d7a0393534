// layer_scale and prelu: each channel has a trained factor. The gradient of a factor is a sum over all pixels.
#include "kernels/kernels.hpp"
#include "kernels/loops.hpp"

namespace sluice::reference {
namespace {

// A function of x and the factor of its channel.
template <class T>
struct ScaleFunction {
    static T value(T x, T factor) { return factor * x; }
    static T slope(T, T factor) { return factor; }
    static T factor_slope(T x) { return x; }
};

template <class T>
struct PreluFunction {
    static T value(T x, T factor) { return x < T{0} ? factor * x : x; }
    static T slope(T x, T factor) { return x > T{0} ? T{1} : factor; }
    static T factor_slope(T x) { return x > T{0} ? T{0} : x; }
};

template <class T, template <class> class Function>
class ChannelFactorKernel : public NodeKernel<T> {
public:
    ChannelFactorKernel(const sdk::Node& node, const sdk::KernelSink& sink)
        : NodeKernel<T>(node),
          n_(sdk::element_count(node.inputs()[0])),
          channels_(node.inputs()[0].shape[node.inputs()[0].rank - 1]),
          factors_(sdk::element_count(node.parameters()[0])) {
        if (node.trains()) {
            sink.backward_reads_input(0);
        }
    }

    void forward(const sluice_launch& launch) override {
        const T* const x = sdk::input<T>(launch, 0);
        T* const y = sdk::output<T>(launch, 0);
        const float* const factors = sdk::parameter(launch, 0);
        for_each_element(launch, n_, [=, this](std::int64_t i) {
            y[i] = Function<T>::value(x[i], static_cast<T>(factors[place(i)]));
        });
    }

    void backward(const sluice_launch& launch) override {
        const T* const x = sdk::input<T>(launch, 0);
        const T* const dy = sdk::output_gradient<T>(launch, 0);
        const float* const factors = sdk::parameter(launch, 0);
        this->write_gradient(launch, 0, n_, [=, this](std::int64_t i) {
            return dy[i] * Function<T>::slope(x[i], static_cast<T>(factors[place(i)]));
        });
        float* const to = sdk::parameter_gradient(launch, 0);
        if (to == nullptr) {
            return;
        }
        const bool add = launch.accumulate_parameters != 0;
        sdk::parallel_for(launch.threads, factors_, 1, [&](std::int64_t begin, std::int64_t end, std::uint32_t) {
            for (std::int64_t factor = begin; factor < end; ++factor) {
                double sum = 0.0;
                for (std::int64_t i = factor; i < n_; i += factors_) {
                    sum += static_cast<double>(dy[i]) * static_cast<double>(Function<T>::factor_slope(x[i]));
                }
                put(to + factor, sum, add);
            }
        });
    }

private:
    // The factor of element i: one for each channel, or one for all.
    [[nodiscard]] std::int64_t place(std::int64_t i) const { return factors_ == 1 ? 0 : i % channels_; }

    std::int64_t n_;
    std::int64_t channels_;
    std::int64_t factors_;
};

template <class T>
using LayerScaleKernel = ChannelFactorKernel<T, ScaleFunction>;
template <class T>
using PreluKernel = ChannelFactorKernel<T, PreluFunction>;

}  // namespace

KernelPtr make_layer_scale(const sdk::Node& node, const sdk::KernelSink& sink) {
    return make_typed<LayerScaleKernel>(node, sink);
}

KernelPtr make_prelu(const sdk::Node& node, const sdk::KernelSink& sink) { return make_typed<PreluKernel>(node, sink); }

}  // namespace sluice::reference
