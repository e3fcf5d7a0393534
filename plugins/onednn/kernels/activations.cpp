// gelu, leaky_relu, sigmoid, silu: own vector loops, which are those of math/activations.hpp.
#include "math/activations.hpp"

#include "kernels/kernels.hpp"
#include "math/elementwise.hpp"

namespace sluice::onednn {
namespace {

using Function = void (*)(float* to, const float* from, std::int64_t count);
using Gradient = void (*)(float* to, const float* from, const float* gradient, std::int64_t count, bool add);

// The gradient reads the result of forward, or its input.
template <bool kFromResult>
class Activation : public sdk::Kernel {
public:
    Activation(const PlanContext& context, Function function, Gradient gradient)
        : count_(sdk::element_count(context.chain[0].outputs()[0])),
          accumulates_(context.chain[0].accumulates_gradient(0)),
          function_(function),
          gradient_(gradient) {
        if (context.chain[0].trains()) {
            kFromResult ? context.sink.backward_reads_output(0) : context.sink.backward_reads_input(0);
        }
        context.sink.note("own vector loops");
    }

    void forward(const sluice_launch& launch) override {
        for_elements(launch.threads, count_, [&](std::int64_t begin, std::int64_t count) {
            function_(sdk::output<float>(launch, 0) + begin, sdk::input<float>(launch, 0) + begin, count);
        });
    }

    void backward(const sluice_launch& launch) override {
        float* to = sdk::input_gradient<float>(launch, 0);
        if (to == nullptr) {
            return;
        }
        const float* from = kFromResult ? sdk::output<float>(launch, 0) : sdk::input<float>(launch, 0);
        for_elements(launch.threads, count_, [&](std::int64_t begin, std::int64_t count) {
            gradient_(to + begin, from + begin, sdk::output_gradient<float>(launch, 0) + begin, count, accumulates_);
        });
    }

private:
    std::int64_t count_;
    bool accumulates_;
    Function function_;
    Gradient gradient_;
};

class LeakyRelu : public sdk::Kernel {
public:
    explicit LeakyRelu(const PlanContext& context)
        : count_(sdk::element_count(context.chain[0].outputs()[0])),
          accumulates_(context.chain[0].accumulates_gradient(0)),
          slope_(static_cast<float>(context.chain[0].options().number("slope"))) {
        if (context.chain[0].trains()) {
            context.sink.backward_reads_output(0);
        }
        context.sink.note("own vector loops");
    }

    void forward(const sluice_launch& launch) override {
        for_elements(launch.threads, count_, [&](std::int64_t begin, std::int64_t count) {
            leaky_relu(sdk::output<float>(launch, 0) + begin, sdk::input<float>(launch, 0) + begin, count, slope_);
        });
    }

    void backward(const sluice_launch& launch) override {
        float* to = sdk::input_gradient<float>(launch, 0);
        if (to == nullptr) {
            return;
        }
        for_elements(launch.threads, count_, [&](std::int64_t begin, std::int64_t count) {
            leaky_relu_gradient(to + begin, sdk::output<float>(launch, 0) + begin,
                                sdk::output_gradient<float>(launch, 0) + begin, count, accumulates_, slope_);
        });
    }

private:
    std::int64_t count_;
    bool accumulates_;
    float slope_;
};

}  // namespace

KernelPtr make_gelu(const PlanContext& context) {
    const bool by_tanh = context.chain[0].options().string("approximate") == "tanh";
    return std::make_unique<Activation<false>>(context, by_tanh ? gelu_by_tanh : gelu,
                                               by_tanh ? gelu_by_tanh_gradient : gelu_gradient);
}

KernelPtr make_leaky_relu(const PlanContext& context) { return std::make_unique<LeakyRelu>(context); }

KernelPtr make_sigmoid(const PlanContext& context) {
    return std::make_unique<Activation<true>>(context, sigmoid, sigmoid_gradient);
}

KernelPtr make_silu(const PlanContext& context) {
    return std::make_unique<Activation<false>>(context, silu, silu_gradient);
}

}  // namespace sluice::onednn
