#include "run/network/thread_plan.hpp"

#include <algorithm>

#include "plan/plan.hpp"

namespace sluice::run {
namespace {

// More workers than this would only wait for each other at the source.
constexpr int kMostWorkers = 16;
// The cost of starting an awake team and of waiting for its slowest thread, with oneDNN's extra work for a team.
constexpr double kSecondsPerLaunch = 5e-6;
// Rough figures for one core: AVX-512 on a convolution with few channels, and streamed memory.
constexpr double kFlopsPerSecond = 60e9;
constexpr double kBytesPerSecond = 8e9;

}  // namespace

ThreadPlan plan_threads(const ThreadNeeds& needs) {
    const int cores = std::max(needs.cores, 1);
    const double gain = needs.step_seconds * (1.0 - 1.0 / cores);
    ThreadPlan plan;
    plan.threads = gain > kSecondsPerLaunch * static_cast<double>(needs.launches) ? cores : 1;
    const auto useful = static_cast<int>(std::clamp<std::int64_t>(needs.prefetched_samples, 1, kMostWorkers));
    plan.workers = needs.workers ? static_cast<int>(*needs.workers) : std::min(cores, useful);
    return plan;
}

void estimate_step(const plan::Graph& graph, ThreadNeeds& needs) {
    const bool trains = graph.mode == plan::Mode::train;
    // Backward computes two gradients for each output of forward, and moves as many bytes for each.
    const double passes = trains ? 3.0 : 1.0;
    double bytes = 0.0;
    for (const plan::Tensor& tensor : graph.tensors) {
        bytes += 2.0 * static_cast<double>(byte_count(tensor.spec));  // written, then read
    }
    needs.step_seconds = passes * (plan::flops_total(graph) / kFlopsPerSecond + bytes / kBytesPerSecond);
    needs.launches = static_cast<std::int64_t>(passes) * static_cast<std::int64_t>(graph.nodes.size());
}

}  // namespace sluice::run
