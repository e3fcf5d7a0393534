// Magnitudes of the values of a tensor, and their underflow in a type of fewer bits.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace sluice::diagnose {

struct Magnitudes {
    double largest = 0.0;
    double smallest = 0.0;  // nonzero; 0: all values are 0
    std::uint64_t not_finite = 0;

    void add(std::span<const float> values);
};

// Counts values that are nonzero in float32, and how many of them are 0 in a type of fewer bits (`lost`).
struct Underflow {
    std::uint64_t counted = 0;
    std::uint64_t lost = 0;
    [[nodiscard]] double share() const {
        return counted == 0 ? 0.0 : static_cast<double>(lost) / static_cast<double>(counted);
    }
    // `not_zero[i]` is true if value i is nonzero in float32.
    void add(const std::vector<bool>& not_zero, std::span<const float> values);
};

// One tensor of a layer in both runs: its outputs, their gradients, or the gradients of its parameters.
struct TensorNumbers {
    Magnitudes float32;
    Magnitudes policy;                   // as stored: gradients include the loss scale
    std::optional<Underflow> underflow;  // nullopt if only one run has the tensor
};

}  // namespace sluice::diagnose
