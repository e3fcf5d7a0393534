// Layers of batch_norm over one value a channel, as after a global pool at batch 1. Such a layer gives its offset
// whatever its input is: it learns nothing, and a variance of 0 would spoil its running statistics.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "plan/plan.hpp"

namespace sluice::plan {

// Those that have one value of each sample and channel. `joins`: of them those that sum over all replicas, or the
// others.
std::vector<const Node*> norms_of_single_values(const Graph& graph, bool joins);

// Where their running statistics lie in the flat buffer.
std::vector<Range> running_ranges(const std::vector<const Node*>& nodes, const Graph& graph, const Layout& layout);

// The batches of a training that is cut into so many shards; `last`: samples of the last one of an epoch, 0 if it is
// whole.
struct BatchSizes {
    std::int64_t whole = 0;
    std::int64_t last = 0;
    std::int64_t shards = 1;
};

// Logs a warning that names the layer that meets such a batch, and what to do, if one does.
void warn_of_single_values(const Graph& graph, const BatchSizes& batches);

}  // namespace sluice::plan
