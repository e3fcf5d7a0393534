// The layer type `example`, y = x * sigmoid(steepness * x), and its kernels for the CPU.
#include <cmath>

#include "sluice/sdk/plugin.hpp"

namespace {

namespace sdk = sluice::sdk;

// The layer type has shapes and options, no arithmetic.
class ExampleLayer : public sdk::Layer {
public:
    ExampleLayer(sdk::Host, const sdk::Options&) {}

    [[nodiscard]] sluice_layer_traits traits() const override {
        sluice_layer_traits traits{};
        traits.role = SLUICE_ROLE_LAYER;
        traits.colour = SLUICE_COLOUR_INFER;
        traits.min_inputs = traits.max_inputs = 1;
        return traits;
    }

    void infer(std::span<const sluice_tensor_spec> inputs, const sdk::LayerSink& sink) const override {
        if (inputs.size() != 1) {
            throw sdk::Failure(SLUICE_INVALID, "example has " + std::to_string(inputs.size()) + " inputs; it takes 1");
        }
        if (inputs[0].dtype.code != SLUICE_CODE_FLOAT && inputs[0].dtype.code != SLUICE_CODE_BFLOAT) {
            throw sdk::Failure(SLUICE_INVALID, "example: the input is " + sdk::describe(inputs[0]) +
                                                   "; it should be of floating-point numbers");
        }
        sink.output(inputs[0]);  // same shape and type as the input
    }
};

// T: float to train, double for `sluice check`, which compares it with finite differences.
template <class T>
class ExampleKernel : public sdk::Kernel {
public:
    explicit ExampleKernel(const sdk::Node& node)
        : count_(sdk::element_count(node.inputs()[0])),
          steepness_(static_cast<T>(node.options().number("steepness"))),
          adds_(node.accumulates_gradient(0)) {}

    void forward(const sluice_launch& launch) override {
        const T* const x = sdk::input<T>(launch, 0);
        T* const y = sdk::output<T>(launch, 0);
        sdk::parallel_for(launch.threads, count_, kGrain, [&](std::int64_t begin, std::int64_t end, std::uint32_t) {
            for (std::int64_t i = begin; i < end; ++i) {
                y[i] = x[i] / (1 + std::exp(-steepness_ * x[i]));
            }
        });
    }

    void backward(const sluice_launch& launch) override {
        const T* const x = sdk::input<T>(launch, 0);
        const T* const dy = sdk::output_gradient<T>(launch, 0);
        T* const dx = sdk::input_gradient<T>(launch, 0);
        if (dx == nullptr) {
            return;  // the gradient is not wanted
        }
        sdk::parallel_for(launch.threads, count_, kGrain, [&](std::int64_t begin, std::int64_t end, std::uint32_t) {
            for (std::int64_t i = begin; i < end; ++i) {
                const T sigmoid = 1 / (1 + std::exp(-steepness_ * x[i]));
                const T slope = sigmoid * (1 + steepness_ * x[i] * (1 - sigmoid));
                dx[i] = (adds_ ? dx[i] : 0) + slope * dy[i];
            }
        });
    }

private:
    static constexpr std::int64_t kGrain = 4096;  // elements that are worth a thread of their own

    std::int64_t count_;
    T steepness_;
    bool adds_;  // the gradient is added to the memory's contents
};

class ExampleKernels : public sdk::KernelProvider {
public:
    ExampleKernels(sdk::Host, const sdk::Options&, sluice_device_ref) {}

    [[nodiscard]] std::optional<std::string> refuses(const sdk::Chain& chain) const override {
        if (chain.size() != 1 || chain[0].type() != "example") {
            return "only example by itself";
        }
        const sluice_dtype dtype = chain[0].inputs()[0].dtype;
        if (!sdk::same(chain[0].compute(), dtype) ||
            (!sdk::same(dtype, sdk::kFloat32) && !sdk::same(dtype, sdk::kFloat64))) {
            return "only float32 and float64";
        }
        return std::nullopt;
    }

    [[nodiscard]] std::unique_ptr<sdk::Kernel> plan(const sdk::Chain& chain, const sdk::KernelSink& sink) override {
        sink.backward_reads_input(0);  // otherwise it may be overwritten before
        if (sdk::same(chain[0].inputs()[0].dtype, sdk::kFloat64)) {
            return std::make_unique<ExampleKernel<double>>(chain[0]);
        }
        return std::make_unique<ExampleKernel<float>>(chain[0]);
    }
};

constexpr sluice_component kComponents[] = {
    sdk::component<ExampleLayer>("com.acme.layer.example"),
    sdk::component<ExampleKernels>("com.acme.kernel.example"),
};

}  // namespace

SLUICE_DEFINE_PLUGIN(kComponents)
