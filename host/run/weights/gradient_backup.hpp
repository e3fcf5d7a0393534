// A backup of the flat gradients, for a backward whose results are discarded.
#pragma once

#include <cstdint>
#include <memory>

#include "registry/objects/device.hpp"
#include "run/weights/weights.hpp"

namespace sluice::run {

class GradientBackup {
public:
    // `has_several_batches`: a step has several batches; otherwise there are no earlier gradients to keep. `weights`
    // and `stream` must outlive this object.
    GradientBackup(const std::shared_ptr<const registry::Device>& device, void* stream, const Weights& weights,
                   bool has_several_batches);

    // Saves the gradients before backward. `is_first`: the step has no gradients yet, which counts as zeros.
    void take(bool is_first);
    // Restores the gradients from the last restored element up to, but not including, `end`.
    void put_back(std::uint64_t end);

private:
    std::shared_ptr<const registry::Device> device_;
    void* stream_;
    const Weights& weights_;
    registry::Block before_;
    bool is_zero_ = true;
    std::uint64_t done_ = 0;
};

}  // namespace sluice::run
