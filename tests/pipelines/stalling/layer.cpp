// The layer type `test_stall`, which copies its input until one call hangs. SLUICE_TEST_STALL_FORWARD or _BACKWARD is
// the number of that call, counted over all replicas of a process. SLUICE_TEST_REFUSED_KERNEL names a kernel that
// cannot be created: "1.2" is the second kernel of process 1.
#include "layer.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <string>

#include "stall.hpp"

namespace sluice::test {
namespace {

class StallKernel : public sdk::Kernel {
public:
    explicit StallKernel(const sdk::Node& node)
        : count_(sdk::element_count(node.inputs()[0])), adds_(node.accumulates_gradient(0)) {
        const char* const process = std::getenv("OMPI_COMM_WORLD_RANK");
        const char* const refused = std::getenv("SLUICE_TEST_REFUSED_KERNEL");
        if (process != nullptr && refused != nullptr && process + ("." + std::to_string(++made_)) == refused) {
            throw sdk::Failure(SLUICE_NO_MEMORY, "this kernel refuses");
        }
    }

    void forward(const sluice_launch& launch) override {
        stall_at("SLUICE_TEST_STALL_FORWARD", ++forwards_);
        std::copy_n(sdk::input<float>(launch, 0), count_, sdk::output<float>(launch, 0));
    }

    void backward(const sluice_launch& launch) override {
        stall_at("SLUICE_TEST_STALL_BACKWARD", ++backwards_);
        const float* const from = sdk::output_gradient<float>(launch, 0);
        float* const to = sdk::input_gradient<float>(launch, 0);
        for (std::int64_t i = 0; to != nullptr && i < count_; ++i) {
            to[i] = (adds_ ? to[i] : 0.0F) + from[i];
        }
    }

private:
    static void stall_at(const char* variable, std::int64_t call) {
        const char* const last = std::getenv(variable);
        if (last != nullptr && last == std::to_string(call)) {
            stall();
        }
    }

    std::int64_t count_;
    bool adds_;
    static inline std::atomic<int> made_{0};
    static inline std::atomic<std::int64_t> forwards_{0};
    static inline std::atomic<std::int64_t> backwards_{0};
};

}  // namespace

sluice_layer_traits StallLayer::traits() const {
    sluice_layer_traits traits{};
    traits.role = SLUICE_ROLE_LAYER;
    traits.colour = SLUICE_COLOUR_INFER;
    traits.min_inputs = traits.max_inputs = 1;
    return traits;
}

void StallLayer::infer(std::span<const sluice_tensor_spec> inputs, const sdk::LayerSink& sink) const {
    sink.output(inputs[0]);
}

std::optional<std::string> StallKernels::refuses(const sdk::Chain& chain) const {
    if (chain.size() != 1 || chain[0].type() != "test_stall" || !sdk::same(chain[0].compute(), sdk::kFloat32)) {
        return "only test_stall by itself, in float32";
    }
    return std::nullopt;
}

std::unique_ptr<sdk::Kernel> StallKernels::plan(const sdk::Chain& chain, const sdk::KernelSink&) {
    return std::make_unique<StallKernel>(chain[0]);
}

}  // namespace sluice::test
