// The shards of a batch that one replica computes one after the other. Their results are kept apart, then added in a
// fixed order. If each replica computes a power of two of them, a step has the same bits for any number of replicas.
#pragma once

#include <cstdint>
#include <vector>

#include "run/weights/weights.hpp"
#include "sluice/kind/step.h"

namespace sluice::run {

class ShardAccumulator {
public:
    // CPU only: `weights` and `report` are in host memory and must outlive this object. `count`: shards.
    ShardAccumulator(const Weights& weights, sluice_step_report* report, std::uint64_t count);

    // Restores the state that shard `number` left, before it computes its share of a batch. `is_first`: of the step's
    // first batch, it restores the running statistics from the start of the step.
    void bring(std::uint64_t number, bool is_first);
    // Saves the state of shard `number` after it has computed its share of a batch.
    void keep(std::uint64_t number);
    // Sums gradients and losses and averages running statistics over the shards. The order is fixed:
    // sum(0, n) = sum(0, m) + sum(m, n), where m is the largest power of two below n.
    void add_up();

private:
    struct Shard {
        std::vector<float> gradients;
        std::vector<float> running;
        std::vector<double> losses;  // sum and weight
    };

    const Weights& weights_;
    sluice_step_report* report_;
    std::vector<float> begin_;  // running statistics before the step
    std::vector<Shard> shards_;
};

}  // namespace sluice::run
