// How large and how small the numbers of a tensor are, and which of them were lost in fewer bits.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace sluice::diagnose {

struct Magnitudes {
    double largest = 0.0;
    double smallest = 0.0;  // that is not 0; 0: all are
    std::uint64_t not_finite = 0;

    void add(std::span<const float> values);
};

// Numbers that are not 0 in float32, and of those the ones that are 0 in a type of fewer bits.
struct Underflow {
    std::uint64_t counted = 0;
    std::uint64_t lost = 0;
    [[nodiscard]] double share() const {
        return counted == 0 ? 0.0 : static_cast<double>(lost) / static_cast<double>(counted);
    }
    // `not_zero` says of each number whether it is in float32.
    void add(const std::vector<bool>& not_zero, std::span<const float> values);
};

// One tensor of a layer in both runs: its outputs, their gradients, or the gradients of its parameters.
struct TensorNumbers {
    Magnitudes float32;
    Magnitudes policy;                   // as stored: gradients are multiplied by the scale of the loss
    std::optional<Underflow> underflow;  // nothing where the tensor is only in one of the runs
};

}  // namespace sluice::diagnose
