// The line that shows how far a preparation is.
#pragma once

#include <cstdint>
#include <string>

#include "base/clock.hpp"

namespace sluice::prepare {

class ProgressMeter {
public:
    // Measures the samples from `first` to before `end`. Times are those of now().
    ProgressMeter(std::uint64_t first, std::uint64_t end, double start = now())
        : first_(first), end_(end), start_(start), last_(start) {}
    void add(std::uint64_t bytes) { bytes_ += bytes; }
    // "1234 of 5000 samples, 88 samples/s, 12.1 MiB/s, 43 s left" if the samples before `done` are written. Empty if
    // less than 0.2 s have passed since the last line.
    std::string line(std::uint64_t done, double time = now());

private:
    std::uint64_t first_;
    std::uint64_t end_;
    std::uint64_t bytes_ = 0;
    double start_;
    double last_;
};

}  // namespace sluice::prepare
