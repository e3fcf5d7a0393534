// The limit of a launch on this machine: no launch is faster than its arithmetic at the peak rate, or than its bytes at
// the bandwidth of memory.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "bench/bandwidth.hpp"
#include "bench/convolution_rate.hpp"

namespace sluice::bench {

struct LaunchLimit {
    double arithmetic = 0.0;  // seconds
    double memory = 0.0;      // seconds

    // The limit if arithmetic and memory overlap fully.
    [[nodiscard]] double longer() const { return std::max(arithmetic, memory); }
    // The limit if they do not overlap at all.
    [[nodiscard]] double sum() const { return arithmetic + memory; }
};

// `flops`: of each kind of arithmetic. `rates`: FLOP per second of each kind.
LaunchLimit launch_limit(const std::array<double, kArithmetics>& flops, double bytes, const ArithmeticRates& rates,
                         const std::vector<Bandwidth>& bandwidth);

}  // namespace sluice::bench
