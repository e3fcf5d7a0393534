// batch_norm layers over one value per channel, as after a global pool at batch size 1. Such a layer outputs its offset
// for any input: it learns nothing, and a variance of 0 would spoil its running statistics.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "plan/plan.hpp"

namespace sluice::plan {

// The layers that have one value per sample and channel. `joins`: true for layers that sum over all replicas, false for
// the others.
std::vector<const Node*> norms_of_single_values(const Graph& graph, bool joins);

// Returns where their running statistics lie in the flat buffer.
std::vector<Range> running_ranges(const std::vector<const Node*>& nodes, const Graph& graph, const Layout& layout);

// Batch sizes of a training, and the shards that each batch is split into. `last`: samples in the last batch of an
// epoch; 0: it is full.
struct BatchSizes {
    std::int64_t whole = 0;
    std::int64_t last = 0;
    std::int64_t shards = 1;
};

// Warns if a layer gets such a batch. The warning names the layer and a remedy.
void warn_of_single_values(const Graph& graph, const BatchSizes& batches);

}  // namespace sluice::plan
