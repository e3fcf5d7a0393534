// The full optimizer states, as a checkpoint has them, if each replica only keeps its slices.
#pragma once

#include <span>
#include <vector>

#include "run/weights/weights.hpp"

namespace sluice::run {

class FullOptimizerStates {
public:
    // All values start as zero. `weights` must outlive this object.
    explicit FullOptimizerStates(const Weights& weights);

    // Values of one state in host memory, in the layout of the parameters.
    [[nodiscard]] std::span<float> values(std::size_t state) { return values_[state]; }
    // Returns the tensors with their names in a checkpoint; their data is in host memory.
    [[nodiscard]] std::vector<WeightTensor> tensors();
    // Copies the slices that this replica keeps into the weights. Waits.
    void put(const registry::Device& device, void* stream) const;

private:
    const Weights& weights_;
    std::vector<std::vector<float>> values_;
};

}  // namespace sluice::run
