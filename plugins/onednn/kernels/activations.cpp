// gelu, leaky_relu, relu6, sigmoid and silu by the vector loops of math/activations.hpp.
#include "math/activations.hpp"

#include "kernels/element_types.hpp"
#include "math/elementwise.hpp"

namespace sluice::onednn {
namespace {

// kFromResult: the gradient reads the output of forward; else its input.
template <class Element, bool kFromResult>
class Activation : public sdk::Kernel {
public:
    using Function = void (*)(Element* to, const Element* from, std::int64_t count);
    using Gradient = void (*)(Element* to, const Element* from, const Element* gradient, std::int64_t count, bool add);

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
            function_(sdk::output<Element>(launch, 0) + begin, sdk::input<Element>(launch, 0) + begin, count);
        });
    }

    void backward(const sluice_launch& launch) override {
        auto* to = sdk::input_gradient<Element>(launch, 0);
        if (to == nullptr) {
            return;
        }
        const Element* from = kFromResult ? sdk::output<Element>(launch, 0) : sdk::input<Element>(launch, 0);
        for_elements(launch.threads, count_, [&](std::int64_t begin, std::int64_t count) {
            gradient_(to + begin, from + begin, sdk::output_gradient<Element>(launch, 0) + begin, count, accumulates_);
        });
    }

private:
    std::int64_t count_;
    bool accumulates_;
    Function function_;
    Gradient gradient_;
};

template <class Element>
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
            leaky_relu(sdk::output<Element>(launch, 0) + begin, sdk::input<Element>(launch, 0) + begin, count, slope_);
        });
    }

    void backward(const sluice_launch& launch) override {
        auto* to = sdk::input_gradient<Element>(launch, 0);
        if (to == nullptr) {
            return;
        }
        for_elements(launch.threads, count_, [&](std::int64_t begin, std::int64_t count) {
            leaky_relu_gradient(to + begin, sdk::output<Element>(launch, 0) + begin,
                                sdk::output_gradient<Element>(launch, 0) + begin, count, accumulates_, slope_);
        });
    }

private:
    std::int64_t count_;
    bool accumulates_;
    float slope_;
};

template <class Element>
class Gelu : public Activation<Element, false> {
public:
    explicit Gelu(const PlanContext& context)
        : Gelu(context, context.chain[0].options().string("approximate") == "tanh") {}

private:
    Gelu(const PlanContext& context, bool by_tanh)
        : Activation<Element, false>(context, by_tanh ? gelu_by_tanh<Element> : gelu<Element>,
                                     by_tanh ? gelu_by_tanh_gradient<Element> : gelu_gradient<Element>) {}
};

template <class Element>
class Relu6 : public Activation<Element, true> {
public:
    explicit Relu6(const PlanContext& context)
        : Activation<Element, true>(context, relu6<Element>, relu6_gradient<Element>) {}
};

template <class Element>
class Sigmoid : public Activation<Element, true> {
public:
    explicit Sigmoid(const PlanContext& context)
        : Activation<Element, true>(context, sigmoid<Element>, sigmoid_gradient<Element>) {}
};

template <class Element>
class Silu : public Activation<Element, false> {
public:
    explicit Silu(const PlanContext& context)
        : Activation<Element, false>(context, silu<Element>, silu_gradient<Element>) {}
};

}  // namespace

KernelPtr make_gelu(const PlanContext& context) { return make_typed<Gelu>(context); }
KernelPtr make_leaky_relu(const PlanContext& context) { return make_typed<LeakyRelu>(context); }
KernelPtr make_relu6(const PlanContext& context) { return make_typed<Relu6>(context); }
KernelPtr make_sigmoid(const PlanContext& context) { return make_typed<Sigmoid>(context); }
KernelPtr make_silu(const PlanContext& context) { return make_typed<Silu>(context); }

}  // namespace sluice::onednn
