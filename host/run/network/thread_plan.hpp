// How compute threads and data workers share the machine.
#pragma once

#include <cstdint>
#include <optional>

#include "plan/graph.hpp"

namespace sluice::run {

struct ThreadPlan {
    int threads = 1;  // that compute
    int workers = 1;  // that make samples; 0: the training thread makes them itself
};

struct ThreadNeeds {
    int cores = 1;                        // that this process may use
    double step_seconds = 0.0;            // about, on one core
    std::int64_t launches = 0;            // of kernels in a step
    std::int64_t samples_ahead = 1;       // that are made before they are needed
    std::optional<std::int64_t> workers;  // as many as the user wants
};

// Compute takes every core, or one where a step is too short to gain from more. Workers run beside it on the same
// cores: they sleep when enough is made ahead, and when compute waits for data it leaves the cores to them.
ThreadPlan plan_threads(const ThreadNeeds& needs);

// About how long one core takes for a step, and how many kernels it launches: from FLOPs and bytes alone, so that a run
// that is resumed computes with as many threads.
void estimate_step(const plan::Graph& graph, ThreadNeeds& needs);

}  // namespace sluice::run
