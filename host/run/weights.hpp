// All that training changes, in device memory: master parameters, their gradients, the optimizer's states, running
// statistics. Flat float32 buffers, laid out by the plan.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "plan/plan.hpp"

namespace sluice::run {

// One tensor of the weights by the name that it has in a checkpoint.
struct WeightTensor {
    std::string name;  // "model/stem/kernel", "running/bn/mean", "optimizer/moment1/stem/kernel"
    sluice_tensor_spec spec{};
    std::byte* data = nullptr;  // device memory
};

class Weights {
public:
    // Optimizer states are left out for evaluation: give no names.
    Weights(std::shared_ptr<const registry::Device> device, const plan::Plan& plan,
            std::span<const std::string> optimizer_states);

    // Initial values by a generator keyed by the seed and the parameter's path; states and gradients zero.
    // The threads share the work where the device's memory is the host's.
    void initialise(std::uint64_t seed, void* stream, const sluice_threads& threads);

    [[nodiscard]] float* parameters() const { return floats(parameters_); }
    [[nodiscard]] float* gradients() const { return floats(gradients_); }
    [[nodiscard]] float* running() const { return floats(running_); }
    [[nodiscard]] std::span<float* const> optimizer_states() const { return states_; }
    [[nodiscard]] std::uint64_t count() const { return layout_.parameter_count; }
    [[nodiscard]] const plan::Layout& layout() const { return layout_; }

    // Everything that a checkpoint holds, sorted by name.
    [[nodiscard]] std::vector<WeightTensor> tensors() const;

private:
    void fill_parameters(float* flat, std::uint64_t seed, const sluice_threads& threads) const;
    void zero(const registry::Block& block, void* stream, const sluice_threads& threads) const;

    static float* floats(const registry::Block& block) { return reinterpret_cast<float*>(block.data()); }

    std::shared_ptr<const registry::Device> device_;
    std::vector<registry::ParameterInfo> parameter_infos_;
    std::vector<registry::StateInfo> running_infos_;
    std::vector<std::string> state_names_;
    plan::Layout layout_;
    registry::Block parameters_;
    registry::Block gradients_;
    registry::Block running_;
    std::vector<registry::Block> state_blocks_;
    std::vector<float*> states_;
};

}  // namespace sluice::run
