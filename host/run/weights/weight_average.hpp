// The optional moving average of parameters and running statistics: flat buffers in device memory, with the layout of
// the values that it follows.
#pragma once

#include <memory>

#include "plan/plan.hpp"

namespace sluice::run {

class WeightAverage {
public:
    // If `bytes` has no bytes for the average, none is kept.
    WeightAverage(std::shared_ptr<const registry::Device> device, const plan::WeightBytes& bytes);

    [[nodiscard]] bool is_kept() const { return parameters_.size() + running_.size() > 0; }
    // Restarts the average from these values in device memory.
    void restart(const float* parameters, const float* running, void* stream) const;

    [[nodiscard]] float* parameters() const { return reinterpret_cast<float*>(parameters_.data()); }
    [[nodiscard]] float* running() const { return reinterpret_cast<float*>(running_.data()); }

private:
    std::shared_ptr<const registry::Device> device_;
    registry::Block parameters_;
    registry::Block running_;
};

}  // namespace sluice::run
