// The optimizer's states as a checkpoint has them, where each replica keeps a part of them.
#pragma once

#include <span>
#include <vector>

#include "run/weights/weights.hpp"

namespace sluice::run {

class WholeStates {
public:
    // The weights outlive it; all is zero.
    explicit WholeStates(const Weights& weights);

    // Host memory, laid out as the parameters.
    [[nodiscard]] std::span<float> values(std::size_t state) { return values_[state]; }
    // By their names in a checkpoint; in host memory.
    [[nodiscard]] std::vector<WeightTensor> tensors();
    // The weights take what they keep of them.
    void put(const registry::Device& device, void* stream) const;

private:
    const Weights& weights_;
    std::vector<std::vector<float>> values_;
};

}  // namespace sluice::run
