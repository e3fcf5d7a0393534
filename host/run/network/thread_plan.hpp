// How compute threads and data workers share the machine.
#pragma once

#include <cstdint>
#include <optional>

#include "plan/graph.hpp"

namespace sluice::run {

struct ThreadPlan {
    int threads = 1;  // compute threads
    int workers = 1;  // threads that make samples; 0: the training thread makes them itself
};

struct ThreadNeeds {
    int cores = 1;              // cores that this process may use
    double step_seconds = 0.0;  // estimated, on one core
    std::int64_t launches = 0;  // kernel launches in a step
    std::int64_t prefetched_samples = 1;
    std::optional<std::int64_t> workers;  // set by the user, if any
};

// Compute uses every core, or one if a step is too short to gain from more. Workers share these cores: they sleep when
// enough is prefetched, and compute leaves the cores to them while it waits for data.
ThreadPlan plan_threads(const ThreadNeeds& needs);

// Estimates the time of a step on one core and its kernel launches. The estimate only uses FLOPs and bytes, so that a
// resumed run computes with the same number of threads.
void estimate_step(const plan::Graph& graph, ThreadNeeds& needs);

}  // namespace sluice::run
