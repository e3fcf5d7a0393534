// The loss test_account_step: the mean absolute error, whose kernel takes as long as a step of an account's device. It
// uses no core meanwhile, as a training whose device is a GPU.
#include <chrono>
#include <cmath>
#include <thread>

#include "sluice/sdk/plugin.hpp"

namespace {

using namespace sluice::sdk;

class AccountStep final : public Layer {
public:
    AccountStep(Host, const Options&) {}

    [[nodiscard]] sluice_layer_traits traits() const override {
        sluice_layer_traits traits{};
        traits.role = SLUICE_ROLE_LOSS;
        traits.colour = SLUICE_COLOUR_DENY;
        traits.min_inputs = traits.max_inputs = 2;
        return traits;
    }

    void infer(std::span<const sluice_tensor_spec> inputs, const LayerSink& sink) const override {
        sink.output(make_spec(kFloat32, {inputs[0].shape[0], 2}));
    }
};

class StepKernel final : public Kernel {
public:
    explicit StepKernel(const Node& node)
        : samples_(node.inputs()[0].shape[0]),
          each_(element_count(node.inputs()[0]) / samples_),
          adds_(node.accumulates_gradient(0)),
          milliseconds_(node.options().number("wait_ms") * static_cast<double>(samples_)) {}

    // A process that is paused does not go on with its step, so it sleeps for a millisecond at a time.
    void forward(const sluice_launch& launch) override {
        for (double slept = 0.0; slept < milliseconds_; slept += 1.0) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        const float* const x = input<float>(launch, 0);
        const float* const target = input<float>(launch, 1);
        auto* const out = output<float>(launch, 0);
        for (std::int64_t n = 0; n < samples_; ++n) {
            out[2 * n] = 0.0F;
            out[2 * n + 1] = static_cast<float>(each_);
            for (std::int64_t i = n * each_; i < (n + 1) * each_; ++i) {
                out[2 * n] += std::abs(x[i] - target[i]);
            }
        }
    }

    void backward(const sluice_launch& launch) override {
        const float* const x = input<float>(launch, 0);
        const float* const target = input<float>(launch, 1);
        auto* const gradient = input_gradient<float>(launch, 0);
        const auto slope = static_cast<float>(launch.scalars->loss_seed);
        for (std::int64_t i = 0; gradient != nullptr && i < samples_ * each_; ++i) {
            const float before = adds_ ? gradient[i] : 0.0F;
            gradient[i] = before + (x[i] > target[i] ? slope : -slope);
        }
    }

private:
    std::int64_t samples_;
    std::int64_t each_;  // elements of a sample
    bool adds_;
    double milliseconds_;  // of a step
};

class Kernels final : public KernelProvider {
public:
    Kernels(Host, const Options&, sluice_device_ref) {}

    [[nodiscard]] std::optional<std::string> refuses(const Chain& chain) const override {
        if (chain.size() != 1 || chain[0].type() != "test_account_step") {
            return "only test_account_step";
        }
        return same(chain[0].inputs()[0].dtype, kFloat32) ? std::nullopt : std::optional<std::string>("only float32");
    }

    [[nodiscard]] std::unique_ptr<Kernel> plan(const Chain& chain, const KernelSink& sink) override {
        sink.backward_reads_input(0);
        sink.backward_reads_input(1);
        return std::make_unique<StepKernel>(chain[0]);
    }
};

constexpr sluice_component kComponents[] = {component<AccountStep>("test.layer.account_step"),
                                            component<Kernels>("test.kernel.account_step")};

}  // namespace

SLUICE_DEFINE_PLUGIN(kComponents)
