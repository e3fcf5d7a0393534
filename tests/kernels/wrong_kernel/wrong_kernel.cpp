// Kernels for scale in float32 that each break one rule, and a layer type whose only kernel has a wrong gradient.
// `host check` must find every one.
#include <algorithm>
#include <cstdlib>
#include <functional>
#include <memory>

#include "sluice/sdk/plugin.hpp"

namespace {

using namespace sluice::sdk;

// A correct kernel. Each wrong one overrides a part of it.
class ScaleKernel : public Kernel {
public:
    explicit ScaleKernel(const Node& node)
        : n_(element_count(node.inputs()[0])),
          factor_(static_cast<float>(node.options().number("factor"))),
          adds_(node.accumulates_gradient(0)) {}

    void forward(const sluice_launch& launch) override {
        for (std::int64_t i = 0; i < n_; ++i) {
            output<float>(launch, 0)[i] = factor_ * input<float>(launch, 0)[i];
        }
    }
    void backward(const sluice_launch& launch) override {
        float* const to = input_gradient<float>(launch, 0);
        for (std::int64_t i = 0; i < n_; ++i) {
            to[i] = (adds_ ? to[i] : 0.0F) + factor_ * output_gradient<float>(launch, 0)[i];
        }
    }

protected:
    std::int64_t n_;
    float factor_;
    bool adds_;
};

class WrongGradient final : public ScaleKernel {
public:
    using ScaleKernel::ScaleKernel;
    void backward(const sluice_launch& launch) override {
        ScaleKernel::backward(launch);
        input_gradient<float>(launch, 0)[n_ / 2] *= 2.0F;
    }
};

class ForgetsToAdd final : public ScaleKernel {
public:
    explicit ForgetsToAdd(const Node& node) : ScaleKernel(node) { adds_ = false; }
};

class ForgetsTheEnd final : public ScaleKernel {
public:
    using ScaleKernel::ScaleKernel;
    void forward(const sluice_launch& launch) override {
        ScaleKernel::forward(launch);
        forget(output<float>(launch, 0));
    }
    void backward(const sluice_launch& launch) override {
        ScaleKernel::backward(launch);
        forget(input_gradient<float>(launch, 0));
    }

private:
    void forget(float* values) const {
        for (std::int64_t i = 5000; i < n_; ++i) {
            values[i] = 0.0F;
        }
    }
};

class WritesPast final : public ScaleKernel {
public:
    using ScaleKernel::ScaleKernel;
    void forward(const sluice_launch& launch) override {
        ScaleKernel::forward(launch);
        output<float>(launch, 0)[n_] = 1.0F;
    }
};

class ReadsUndeclared final : public ScaleKernel {
public:
    using ScaleKernel::ScaleKernel;
    void backward(const sluice_launch& launch) override {
        ScaleKernel::backward(launch);
        for (std::int64_t i = 0; i < n_; ++i) {
            input_gradient<float>(launch, 0)[i] += 0.0F * input<float>(launch, 0)[i];
        }
    }
};

class OverwritesInput final : public ScaleKernel {
public:
    using ScaleKernel::ScaleKernel;
    void forward(const sluice_launch& launch) override {
        ScaleKernel::forward(launch);
        auto* const in = const_cast<float*>(input<float>(launch, 0));
        std::copy_n(output<float>(launch, 0), n_, in);
    }
};

class NeverTwice final : public ScaleKernel {
public:
    using ScaleKernel::ScaleKernel;
    void forward(const sluice_launch& launch) override {
        ScaleKernel::forward(launch);
        output<float>(launch, 0)[0] *= 1.0F + 2e-7F * static_cast<float>(++calls_ % 3);
    }

private:
    int calls_ = 0;
};

class Crashes final : public ScaleKernel {
public:
    using ScaleKernel::ScaleKernel;
    void backward(const sluice_launch&) override { std::abort(); }
};

template <class T>
class ProviderOf final : public KernelProvider {
public:
    ProviderOf(Host, const Options&, sluice_device_ref) {}
    [[nodiscard]] std::optional<std::string> refuses(const Chain& chain) const override {
        if (chain.size() != 1 || chain[0].type() != "scale" || !same(chain[0].inputs()[0].dtype, kFloat32)) {
            return "only scale in float32";
        }
        return std::nullopt;
    }
    [[nodiscard]] std::unique_ptr<Kernel> plan(const Chain& chain, const KernelSink&) override {
        return std::make_unique<T>(chain[0]);
    }
};

// Its output must not be in the memory of its input, because it reads the input after it has written.
class OverwritesEarly final : public ScaleKernel {
public:
    using ScaleKernel::ScaleKernel;
    void forward(const sluice_launch& launch) override {
        std::fill_n(output<float>(launch, 0), n_, 0.0F);
        ScaleKernel::forward(launch);
    }
};

class OverwritesEarlyProvider final : public KernelProvider {
public:
    OverwritesEarlyProvider(Host host, const Options& options, sluice_device_ref device)
        : scale_(host, options, device) {}
    [[nodiscard]] std::optional<std::string> refuses(const Chain& chain) const override {
        return scale_.refuses(chain);
    }
    [[nodiscard]] std::unique_ptr<Kernel> plan(const Chain& chain, const KernelSink& sink) override {
        sink.may_overwrite(0, 0);
        return scale_.plan(chain, sink);
    }

private:
    ProviderOf<OverwritesEarly> scale_;
};

// Computes scale and add as one kernel. Backward leaves out the gradient of what add got from outside the chain.
class LosesTheSkip final : public ScaleKernel {
public:
    using ScaleKernel::ScaleKernel;
    void forward(const sluice_launch& launch) override {
        ScaleKernel::forward(launch);
        float* const y = output<float>(launch, 0);
        std::transform(y, y + n_, input<float>(launch, 1), y, std::plus<>());
    }
    void backward(const sluice_launch& launch) override {
        if (input_gradient<float>(launch, 0) != nullptr) {
            ScaleKernel::backward(launch);
        }
    }
};

class LosesTheSkips final : public KernelProvider {
public:
    LosesTheSkips(Host, const Options&, sluice_device_ref) {}
    [[nodiscard]] std::optional<std::string> refuses(const Chain& chain) const override {
        const bool mine = chain.size() == 2 && chain[0].type() == "scale" && chain[1].type() == "add" &&
                          same(chain[0].compute(), kFloat32);
        return mine ? std::nullopt : std::optional<std::string>("only scale, add in float32");
    }
    [[nodiscard]] std::unique_ptr<Kernel> plan(const Chain& chain, const KernelSink&) override {
        return std::make_unique<LosesTheSkip>(chain[0]);
    }
};

class Square final : public Layer {
public:
    Square(Host, const Options&) {}
    [[nodiscard]] sluice_layer_traits traits() const override {
        sluice_layer_traits traits{};
        traits.min_inputs = traits.max_inputs = 1;
        return traits;
    }
    void infer(std::span<const sluice_tensor_spec> inputs, const LayerSink& sink) const override {
        sink.output(inputs[0]);
    }
};

template <class T>
class WrongSlope final : public Kernel {
public:
    explicit WrongSlope(const Node& node) : n_(element_count(node.inputs()[0])) {}
    void forward(const sluice_launch& launch) override {
        const T* const x = input<T>(launch, 0);
        std::transform(x, x + n_, x, output<T>(launch, 0), std::multiplies<>());
    }
    void backward(const sluice_launch& launch) override {
        const T* const x = input<T>(launch, 0);
        std::transform(x, x + n_, output_gradient<T>(launch, 0), input_gradient<T>(launch, 0), std::multiplies<>());
    }

private:
    std::int64_t n_;
};

class WrongSlopes final : public KernelProvider {
public:
    WrongSlopes(Host, const Options&, sluice_device_ref) {}
    [[nodiscard]] std::optional<std::string> refuses(const Chain& chain) const override {
        return chain.size() == 1 && chain[0].type() == "test_square" ? std::nullopt
                                                                     : std::optional<std::string>("only test_square");
    }
    [[nodiscard]] std::unique_ptr<Kernel> plan(const Chain& chain, const KernelSink& sink) override {
        sink.backward_reads_input(0);
        if (same(chain[0].compute(), kFloat64)) {
            return std::make_unique<WrongSlope<double>>(chain[0]);
        }
        return std::make_unique<WrongSlope<float>>(chain[0]);
    }
};

constexpr sluice_component kComponents[] = {
    component<ProviderOf<WrongGradient>>("test.kernel.wrong_gradient"),
    component<ProviderOf<ForgetsToAdd>>("test.kernel.forgets_to_add"),
    component<ProviderOf<ForgetsTheEnd>>("test.kernel.forgets_the_end"),
    component<ProviderOf<WritesPast>>("test.kernel.writes_past"),
    component<ProviderOf<ReadsUndeclared>>("test.kernel.reads_undeclared"),
    component<ProviderOf<OverwritesInput>>("test.kernel.overwrites_input"),
    component<ProviderOf<NeverTwice>>("test.kernel.never_twice"),
    component<ProviderOf<Crashes>>("test.kernel.crashes"),
    component<OverwritesEarlyProvider>("test.kernel.overwrites_early"),
    component<LosesTheSkips>("test.kernel.loses_the_skip"),
    component<WrongSlopes>("test.kernel.wrong_slope"),
    component<Square>("test.layer.square"),
};

}  // namespace

SLUICE_DEFINE_PLUGIN(kComponents)
