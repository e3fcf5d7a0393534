// The limit of a launch on this machine: no launch is faster than its arithmetic at the peak rate, or than its bytes at
// the bandwidth of memory.
#pragma once

#include <algorithm>
#include <vector>

#include "base/peaks/bandwidth.hpp"

namespace sluice::bench {

struct LaunchLimit {
    double arithmetic = 0.0;  // seconds
    double memory = 0.0;      // seconds

    // The limit if arithmetic and memory overlap fully.
    [[nodiscard]] double longer() const { return std::max(arithmetic, memory); }
    // The limit if they do not overlap at all.
    [[nodiscard]] double sum() const { return arithmetic + memory; }
};

// `flops`: those that the launch really does. `rate`: FLOP per second of the machine in the launch's type.
LaunchLimit launch_limit(double flops, double bytes, double rate, const std::vector<Bandwidth>& bandwidth);

}  // namespace sluice::bench
