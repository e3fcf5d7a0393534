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

// What a replica updates: a range of the flat buffers, and where in each optimizer state its elements begin.
struct OwnPart {
    plan::Range range;
    std::vector<float*> states;
};

class Weights {
public:
    // Optimizer states and the average are left out for evaluation: give no names, and false. Of states that are shared
    // it has those of its own slices.
    Weights(std::shared_ptr<const registry::Device> device, const plan::Plan& plan,
            std::span<const std::string> optimizer_states, bool averaged = false, const plan::UpdateShare& share = {});

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
    [[nodiscard]] const std::vector<std::string>& state_names() const { return state_names_; }
    // In the order of the buffers: of each bucket its slice, or all in one where updates are not shared.
    [[nodiscard]] const std::vector<OwnPart>& own_parts() const { return own_parts_; }
    [[nodiscard]] const plan::Buckets& buckets() const { return buckets_; }
    [[nodiscard]] std::uint64_t count() const { return buckets_.elements(); }
    [[nodiscard]] std::uint64_t running_count() const { return layout_.state_count; }
    [[nodiscard]] const plan::Layout& layout() const { return layout_; }

    // Everything that a checkpoint holds, sorted by name; without optimizer states where they are shared.
    [[nodiscard]] std::vector<WeightTensor> tensors() const;
    // The names in checkpoints and the places of one optimizer state that lies whole in `flat`, as the parameters do.
    [[nodiscard]] std::vector<WeightTensor> tensors_of_state(std::size_t state, std::byte* flat) const;

private:
    Weights(std::shared_ptr<const registry::Device> device, const plan::Plan& plan,
            std::span<const std::string> optimizer_states, const plan::UpdateShare& share,
            const plan::WeightBytes& bytes);
    void find_own_parts();
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
    plan::Buckets buckets_;
    bool averaged_;
    registry::Block parameters_;
    registry::Block gradients_;
    registry::Block running_;
    registry::Block average_;
    registry::Block running_average_;
    std::vector<Rounded> rounded_;
    std::vector<registry::Block> state_blocks_;
    std::vector<OwnPart> own_parts_;
};

}  // namespace sluice::run
