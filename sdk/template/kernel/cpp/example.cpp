// Kernels by the name of `example`, for an existing layer type: relu in float32.
#include "sluice/sdk/plugin.hpp"

namespace {

namespace sdk = sluice::sdk;

class Relu : public sdk::Kernel {
public:
    explicit Relu(const sdk::Node& node)
        : count_(sdk::element_count(node.inputs()[0])), adds_(node.accumulates_gradient(0)) {}

    void forward(const sluice_launch& launch) override {
        const float* const x = sdk::input<float>(launch, 0);
        float* const y = sdk::output<float>(launch, 0);
        sdk::parallel_for(launch.threads, count_, kGrain, [&](std::int64_t begin, std::int64_t end, std::uint32_t) {
            for (std::int64_t i = begin; i < end; ++i) {
                y[i] = x[i] < 0.0F ? 0.0F : x[i];  // NaN stays NaN
            }
        });
    }

    void backward(const sluice_launch& launch) override {
        const float* const y = sdk::output<float>(launch, 0);
        const float* const dy = sdk::output_gradient<float>(launch, 0);
        float* const dx = sdk::input_gradient<float>(launch, 0);
        if (dx == nullptr) {
            return;  // the gradient is not wanted
        }
        sdk::parallel_for(launch.threads, count_, kGrain, [&](std::int64_t begin, std::int64_t end, std::uint32_t) {
            for (std::int64_t i = begin; i < end; ++i) {
                dx[i] = (adds_ ? dx[i] : 0.0F) + (y[i] > 0.0F ? dy[i] : 0.0F);
            }
        });
    }

private:
    static constexpr std::int64_t kGrain = 16384;  // elements that are worth a thread of their own

    std::int64_t count_;
    bool adds_;  // the gradient is added to the memory's contents
};

class ExampleKernels : public sdk::KernelProvider {
public:
    ExampleKernels(sdk::Host, const sdk::Options&, sluice_device_ref) {}

    [[nodiscard]] std::optional<std::string> refuses(const sdk::Chain& chain) const override {
        if (chain.size() != 1 || chain[0].type() != "relu") {
            return "only relu by itself";
        }
        if (!sdk::same(chain[0].inputs()[0].dtype, sdk::kFloat32) || !sdk::same(chain[0].compute(), sdk::kFloat32)) {
            return "only float32";
        }
        return std::nullopt;
    }

    [[nodiscard]] std::unique_ptr<sdk::Kernel> plan(const sdk::Chain& chain, const sdk::KernelSink& sink) override {
        sink.backward_reads_output(0);  // otherwise it may be overwritten before
        return std::make_unique<Relu>(chain[0]);
    }
};

constexpr sluice_component kComponents[] = {sdk::component<ExampleKernels>("com.acme.kernel.example")};

}  // namespace

SLUICE_DEFINE_PLUGIN(kComponents)
