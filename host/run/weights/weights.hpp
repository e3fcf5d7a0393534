// Everything that training changes, in device memory: master parameters, gradients, optimizer states, running
// statistics, and the optional moving average of parameters and statistics. The plan lays out the flat float32 buffers.
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

// One tensor of the weights, with its name in a checkpoint.
struct WeightTensor {
    // "model/stem/kernel", "running/bn/mean", "optimizer/moment1/stem/kernel", "average/model/stem/kernel"
    std::string name;
    sluice_tensor_spec spec{};
    std::byte* data = nullptr;  // device memory
};

class Weights {
public:
    // For inference pass no optimizer states and false: neither states nor an average are allocated. If the update is
    // sharded, only the own slices of the states are allocated.
    Weights(std::shared_ptr<const registry::Device> device, const plan::Plan& plan,
            std::span<const std::string> optimizer_states, bool averaged = false, const plan::UpdateShare& share = {});

    // Sets the initial values, which only depend on the seed and the parameters' paths. States and gradients become
    // zero, and the average starts from the initial values. `threads` share the work if device memory is host memory.
    void initialise(std::uint64_t seed, void* stream, const sluice_threads& threads);
    // Restarts the average from the current parameters and statistics.
    void restart_average(void* stream);

    [[nodiscard]] float* parameters() const { return floats(parameters_); }
    [[nodiscard]] float* gradients() const { return floats(gradients_); }
    [[nodiscard]] float* running() const { return floats(running_); }
    [[nodiscard]] const WeightAverage& average() const { return average_; }
    [[nodiscard]] const OptimizerStates& states() const { return states_; }
    // Version of parameters and average, from 1. Kernels reuse data derived from the parameters while it stays the
    // same.
    [[nodiscard]] std::uint32_t version() const { return version_; }
    // Call it after each change of parameters or average.
    void mark_changed() { ++version_; }
    // Adds copies of parameters and average in this 16-bit type.
    void keep_rounded(sluice_dtype dtype);
    // Brings the 16-bit copies of the average, or of the parameters, up to the current version. Returns false if
    // they were.
    bool refresh_rounded(bool of_average, void* stream, const sluice_threads& threads);
    [[nodiscard]] const RoundedCopies& rounded(bool of_average) const {
        return of_average ? rounded_average_ : rounded_;
    }
    [[nodiscard]] const plan::Buckets& buckets() const { return buckets_; }
    [[nodiscard]] std::uint64_t count() const { return buckets_.elements(); }
    [[nodiscard]] std::uint64_t running_count() const { return layout_.state_count; }
    [[nodiscard]] const plan::Layout& layout() const { return layout_; }

    // Returns all tensors of a checkpoint, sorted by name, but no optimizer states if they are sharded.
    [[nodiscard]] std::vector<WeightTensor> tensors() const;
    // Returns the tensors of one optimizer state. `flat` holds all of its values, in the layout of the parameters.
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
