// The parts of a batch that one replica computes by themselves: what each gives to a step is kept apart, until all of
// it is added in a fixed order. Where each replica computes a power of two of them, the step is the same, bit by bit,
// whoever computed which.
#pragma once

#include <cstdint>
#include <vector>

#include "run/weights/weights.hpp"
#include "sluice/kind/step.h"

namespace sluice::run {

class LocalShards {
public:
    // Of a CPU: weights and report lie in host memory and outlive it.
    LocalShards(const Weights& weights, sluice_step_report* report, std::uint64_t count);

    // Before a part of a step is computed of shard `number`: all is as that shard has left it, or, before its first
    // part, as the step began.
    void bring(std::uint64_t number, bool is_first);
    // When it was computed.
    void keep(std::uint64_t number);
    // Gradients and losses become the sums of all, running statistics the means: sum(0, n) = sum(0, m) + sum(m, n) with
    // m the largest power of two below n.
    void add_up();

private:
    struct Shard {
        std::vector<float> gradients;
        std::vector<float> running;
        std::vector<double> losses;  // sum and weight
    };

    const Weights& weights_;
    sluice_step_report* report_;
    std::vector<float> begin_;  // the running statistics before the step
    std::vector<Shard> shards_;
};

}  // namespace sluice::run
