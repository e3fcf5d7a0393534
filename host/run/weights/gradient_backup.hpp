// The flat gradients as they were before a backward whose own are not wanted.
#pragma once

#include <cstdint>
#include <memory>

#include "registry/objects/objects.hpp"
#include "run/weights/weights.hpp"

namespace sluice::run {

class GradientBackup {
public:
    // Unless a step has several parts there are none to keep. Weights and stream outlive it.
    GradientBackup(const std::shared_ptr<const registry::Device>& device, void* stream, const Weights& weights,
                   bool has_parts);

    // is_first: there are none of before, which counts as zeros.
    void take(bool is_first);
    // Those up to this element are again what they were.
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
