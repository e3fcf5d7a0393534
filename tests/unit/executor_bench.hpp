// An executor with memory of its own, ready for a step on fixed pictures.
#pragma once

#include <cstring>
#include <vector>

#include "run/network/executor.hpp"
#include "unit/plan_bench.hpp"

namespace sluice::test {

struct ExecutorBench {
    // `plan` must outlive this object.
    ExecutorBench(const PlanBench& bench, const plan::Plan& plan)
        : weights(bench.tools.device, plan, {}),
          arena(bench.tools.device, plan.memory.arena_bytes),
          executor(plan, weights, arena.data(), {nullptr, &scalars, threads.api(), 7}) {
        weights.initialise(7, nullptr, *threads.api());
        std::memset(arena.data(), 0xFF, arena.size());  // NaN, so that a read before the first write shows
        for (const plan::Feed& feed : plan.graph.feeds) {
            auto* bytes = reinterpret_cast<std::uint8_t*>(executor.tensor(feed.tensor));
            for (std::uint64_t i = 0; i < byte_count(plan.graph.tensors[feed.tensor].spec); ++i) {
                bytes[i] = static_cast<std::uint8_t>((i * 37 + feed.field.size() * 11) % 251);
            }
        }
    }

    [[nodiscard]] std::vector<float> gradients() const {
        return {weights.gradients(), weights.gradients() + weights.count()};
    }

    run::Threads threads{2};
    run::Weights weights;
    registry::Block arena;
    sluice_step_scalars scalars{.rate = 0,
                                .gradient_scale = 0,
                                .loss_seed = 1,
                                .step = 1,
                                .random_counter = 1,
                                .skip = 0,
                                .reserved_flags = 0,
                                .reserved = {}};
    run::Executor executor;
};

// Returns the gradients of one step on fixed pictures, and then the running statistics.
inline std::vector<float> step_results(const PlanBench& bench, const plan::Plan& plan) {
    ExecutorBench step(bench, plan);
    step.executor.forward(1);
    step.executor.backward(1, false);
    std::vector<float> results = step.gradients();
    results.insert(results.end(), step.weights.running(), step.weights.running() + plan.layout.state_count);
    return results;
}

}  // namespace sluice::test
