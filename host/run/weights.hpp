// All that training changes, in device memory: master parameters, their gradients, the optimizer's states, running
// statistics, and where one is kept the moving average of parameters and statistics. Flat float32 buffers, laid out by
// the plan.
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
    // "model/stem/kernel", "running/bn/mean", "optimizer/moment1/stem/kernel", "average/model/stem/kernel"
    std::string name;
    sluice_tensor_spec spec{};
    std::byte* data = nullptr;  // device memory
};

class Weights {
public:
    // Optimizer states and the average are left out for evaluation: give no names, and false.
    Weights(std::shared_ptr<const registry::Device> device, const plan::Plan& plan,
            std::span<const std::string> optimizer_states, bool averaged = false);

    // Initial values by a generator keyed by the seed and the parameter's path; states and gradients zero; the average
    // starts from the initial values.
    // The threads share the work where the device's memory is the host's.
    void initialise(std::uint64_t seed, void* stream, const sluice_threads& threads);
    // The average starts anew from the parameters and statistics as they are.
    void restart_average(void* stream);

    [[nodiscard]] float* parameters() const { return floats(parameters_); }
    [[nodiscard]] float* gradients() const { return floats(gradients_); }
    [[nodiscard]] float* running() const { return floats(running_); }
    [[nodiscard]] bool averaged() const { return averaged_; }
    [[nodiscard]] float* average() const { return floats(average_); }
    [[nodiscard]] float* running_average() const { return floats(running_average_); }
    // From now on a copy of parameters and average is kept in that 16-bit type.
    void keep_rounded(sluice_dtype dtype);
    [[nodiscard]] std::size_t rounded_types() const { return rounded_.size(); }
    // Makes the copies anew, of the average or of the parameters.
    void round(bool of_average, void* stream, const sluice_threads& threads) const;
    // Laid out as the parameters.
    [[nodiscard]] std::uint16_t* rounded(sluice_dtype dtype, bool of_average) const;
    [[nodiscard]] std::span<float* const> optimizer_states() const { return states_; }
    [[nodiscard]] std::uint64_t count() const { return layout_.parameter_count; }
    [[nodiscard]] std::uint64_t running_count() const { return layout_.state_count; }
    [[nodiscard]] const plan::Layout& layout() const { return layout_; }

    // Everything that a checkpoint holds, sorted by name.
    [[nodiscard]] std::vector<WeightTensor> tensors() const;

private:
    Weights(std::shared_ptr<const registry::Device> device, const plan::Plan& plan,
            std::span<const std::string> optimizer_states, const plan::WeightBytes& bytes);
    void fill_parameters(float* flat, std::uint64_t seed, const sluice_threads& threads) const;
    void zero(const registry::Block& block, void* stream, const sluice_threads& threads) const;

    struct Rounded {
        sluice_dtype dtype;
        registry::Block parameters;
        registry::Block average;
    };

    static float* floats(const registry::Block& block) { return reinterpret_cast<float*>(block.data()); }

    std::shared_ptr<const registry::Device> device_;
    std::vector<registry::ParameterInfo> parameter_infos_;
    std::vector<registry::StateInfo> running_infos_;
    std::vector<std::string> state_names_;
    plan::Layout layout_;
    bool averaged_;
    registry::Block parameters_;
    registry::Block gradients_;
    registry::Block running_;
    registry::Block average_;
    registry::Block running_average_;
    std::vector<Rounded> rounded_;
    std::vector<registry::Block> state_blocks_;
    std::vector<float*> states_;
};

}  // namespace sluice::run
