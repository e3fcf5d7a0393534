// Arithmetic over the flat float32 buffers of the weights, in host memory: one pass each, at the rate of the memory.
#pragma once

#include <cstdint>
#include <vector>

#include "sluice/host.h"

namespace sluice::run {

// The sum of squares, in float64 and in an order that does not depend on the number of threads.
class SquareSum {
public:
    explicit SquareSum(std::uint64_t count);
    [[nodiscard]] double operator()(const sluice_threads& threads, const float* values);

private:
    std::int64_t count_;
    std::vector<double> blocks_;  // sums of blocks of a fixed size
};

// average += share * (values - average), for each of `count` elements.
void move_average(const sluice_threads& threads, float* average, const float* values, std::uint64_t count, float share);

// The decay of a moving average at optimizer step `step`, from 1. The first steps forget the initial weights faster, as
// in TensorFlow's ExponentialMovingAverage with num_updates: min(decay, (1 + step) / (10 + step)).
double average_decay(double decay, std::uint64_t step);

}  // namespace sluice::run
