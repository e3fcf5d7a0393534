// The best rates of arithmetic that were measured, for each type of its operands.
#pragma once

#include <vector>

#include "base/tensor.hpp"
#include "plan/launch_work.hpp"

namespace sluice::bench {

struct PeakRate {
    sluice_dtype operands{};
    double rate = 0.0;  // FLOP per second
};

class PeakRates {
public:
    // Keeps the better of `rate` and the rate that is known.
    void raise(sluice_dtype operands, double rate);
    // Returns the rate that no launch exceeds; 0: not known. If the kernel multiplies in another type than its layer
    // asks for, one direction may not, so it is the better rate of both types.
    [[nodiscard]] double of(const plan::LaunchWork& work) const;
    [[nodiscard]] double of(sluice_dtype operands) const;
    [[nodiscard]] const std::vector<PeakRate>& all() const { return rates_; }

private:
    std::vector<PeakRate> rates_;  // in the order in which they were first measured
};

}  // namespace sluice::bench
