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
#include "run/weights/optimizer_states.hpp"
#include "run/weights/rounded_copies.hpp"
#include "run/weights/weight_average.hpp"

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
    [[nodiscard]] const WeightAverage& average() const { return average_; }
    [[nodiscard]] const OptimizerStates& states() const { return states_; }
    // Of parameters and average, from 1: kernels keep what they made of the parameters for as long as it is the same.
    [[nodiscard]] std::uint32_t version() const { return version_; }
    // After each change of parameters or average.
    void mark_changed() { ++version_; }
    // From now on a copy of parameters and average is kept in that 16-bit type.
    void keep_rounded(sluice_dtype dtype);
    // Makes the copies, of the average or of the parameters, those of this version.
    void refresh_rounded(bool of_average, void* stream, const sluice_threads& threads);
    [[nodiscard]] const RoundedCopies& rounded(bool of_average) const {
        return of_average ? rounded_average_ : rounded_;
    }
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
    void fill_parameters(float* flat, std::uint64_t seed, const sluice_threads& threads) const;
    void zero(const registry::Block& block, void* stream, const sluice_threads& threads) const;

    static float* floats(const registry::Block& block) { return reinterpret_cast<float*>(block.data()); }

    std::shared_ptr<const registry::Device> device_;
    std::vector<registry::ParameterInfo> parameter_infos_;
    std::vector<registry::StateInfo> running_infos_;
    plan::Layout layout_;
    plan::Buckets buckets_;
    registry::Block parameters_;
    registry::Block gradients_;
    registry::Block running_;
    WeightAverage average_;
    RoundedCopies rounded_;
    RoundedCopies rounded_average_;
    OptimizerStates states_;
    std::uint32_t version_ = 1;
};

}  // namespace sluice::run
