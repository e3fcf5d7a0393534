// The moving average of parameters and running statistics, if one is kept: flat buffers in device memory, laid out as
// the values that it follows.
#pragma once

#include <memory>

#include "plan/plan.hpp"

namespace sluice::run {

class WeightAverage {
public:
    // Without bytes none is kept.
    WeightAverage(std::shared_ptr<const registry::Device> device, const plan::WeightBytes& bytes);

    [[nodiscard]] bool is_kept() const { return parameters_.size() + running_.size() > 0; }
    // Starts anew from these values, which are in device memory.
    void restart(const float* parameters, const float* running, void* stream) const;

    [[nodiscard]] float* parameters() const { return reinterpret_cast<float*>(parameters_.data()); }
    [[nodiscard]] float* running() const { return reinterpret_cast<float*>(running_.data()); }

private:
    std::shared_ptr<const registry::Device> device_;
    registry::Block parameters_;
    registry::Block running_;
};

}  // namespace sluice::run
