// The arena: sharing memory must not change a bit of what is computed, and must save memory.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "unit/executor_bench.hpp"

namespace sluice::test {
namespace {

constexpr std::uint64_t kAlign = 64;

// Gives everything in the plan a place of its own.
void spread(plan::Plan& plan) {
    std::uint64_t next = 0;
    const auto move = [&](std::uint64_t& offset, std::uint64_t bytes) {
        if (offset != plan::kNowhere) {
            offset = next;
            next += (bytes + kAlign - 1) / kAlign * kAlign;
        }
    };
    for (plan::TensorId id = 0; id < plan.graph.tensors.size(); ++id) {
        move(plan.memory.tensors[id], byte_count(plan.graph.tensors[id].spec));
        move(plan.memory.tensors_again[id], byte_count(plan.graph.tensors[id].spec));
        move(plan.memory.gradients[id], byte_count(plan.graph.tensors[id].spec));
    }
    for (plan::Step& step : plan.steps) {
        for (std::size_t i = 0; i < step.saved.size(); ++i) {
            move(step.saved[i], step.kernel.needs().saved[i]);
            move(step.saved_again[i], step.kernel.needs().saved[i]);
        }
        for (std::size_t i = 0; i < step.states_again.size(); ++i) {
            move(step.states_again[i], byte_count(plan.graph.states[step.states[i]].spec));
        }
        move(step.forward_workspace, step.kernel.needs().workspace);
        move(step.again_workspace, step.kernel.needs().workspace);
        move(step.backward_workspace, step.kernel.needs().workspace);
    }
    plan.memory.arena_bytes = next;
}

// Returns the gradients of one step on fixed pictures, and then the running states.
std::vector<float> gradients(const PlanBench& bench, const plan::Plan& plan) {
    ExecutorBench step(bench, plan);
    step.executor.forward(1);
    step.executor.backward(1, false);
    std::vector<float> results = step.gradients();
    results.insert(results.end(), step.weights.running(), step.weights.running() + plan.layout.state_count);
    return results;
}

TEST(PlanMemory, sharing_changes_no_bit) {
    for (const char* kernels : {"device.kernels=[\"onednn\",\"reference\"]", "device.kernels=reference"}) {
        const PlanBench bench({kernels});
        const plan::Plan shared = bench.plan(plan::Mode::train);
        plan::Plan apart = bench.plan(plan::Mode::train);
        spread(apart);
        const std::vector<float> one = gradients(bench, shared);
        const std::vector<float> other = gradients(bench, apart);
        // Padding between parameters belongs to none of them, but initialise() has set it to zero.
        EXPECT_EQ(std::memcmp(one.data(), other.data(), one.size() * sizeof(float)), 0) << kernels;
        EXPECT_TRUE(std::ranges::any_of(one, [](float g) { return g != 0.0F; })) << kernels;
    }
}

TEST(PlanMemory, computing_again_changes_no_bit) {
    for (const std::string kernels : {"device.kernels=[\"onednn\",\"reference\"]", "device.kernels=reference"}) {
        const PlanBench keeping({kernels, "device.measure=false"});
        const std::vector<float> kept = gradients(keeping, keeping.plan(plan::Mode::train));
        for (const std::string recompute : {"selective", "full"}) {
            const PlanBench bench({kernels, "device.measure=false", "train.recompute=" + recompute});
            const std::vector<float> again = gradients(bench, bench.plan(plan::Mode::train));
            EXPECT_EQ(std::memcmp(kept.data(), again.data(), kept.size() * sizeof(float)), 0) << kernels << recompute;
        }
    }
}

TEST(PlanMemory, sharing_saves_memory) {
    const PlanBench bench;
    const plan::Plan train = bench.plan(plan::Mode::train);
    const plan::Plan evaluate = bench.plan(plan::Mode::evaluate);
    EXPECT_LT(train.memory.arena_bytes, train.memory.without_reuse_bytes * 3 / 4);
    EXPECT_LT(evaluate.memory.arena_bytes, train.memory.arena_bytes);
}

// The reference computes node by node, but onednn computes chains, also in another order. Here a chain reads the fork
// `c`. It begins before the other reader of `c` and ends after it.
const std::string kFork = pipeline_of(R"(
  { type = "conv2d", filters = 3, kernel = 3, name = "stem" },
  { type = "conv2d", kernel = 3, name = "c" },
  { type = "batch_norm", name = "bn" },
  { type = "scale", factor = 0.5, inputs = ["c"], name = "s" },
  { type = "relu", inputs = ["bn"], name = "r" },
  { type = "add", inputs = ["s", "r"] },
)");

// The input that the chain takes from outside is also its first input. Both ends of the chain write its one gradient.
const std::string kOneInput = pipeline_of(R"(
  { type = "conv2d", filters = 3, kernel = 3, name = "stem" },
  { type = "batch_norm" },
  { type = "relu" },
  { type = "add", inputs = ["stem", "previous"] },
)");

const std::string kTwice = pipeline_of(R"(
  { type = "conv2d", filters = 3, kernel = 3, name = "stem" },
  { type = "add", inputs = ["stem", "stem"] },
  { type = "relu" },
)");

TEST(PlanMemory, chains_compute_what_single_kernels_compute) {
    for (const auto& [text, chain] : {std::pair(kModel, std::vector<std::string>{"batch_norm", "relu", "dropout"}),
                                      std::pair(kFork, std::vector<std::string>{"batch_norm", "relu", "add"}),
                                      std::pair(kOneInput, std::vector<std::string>{"batch_norm", "relu", "add"}),
                                      std::pair(kTwice, std::vector<std::string>{"add", "relu"})}) {
        const PlanBench fused({"device.kernels=[\"onednn\",\"reference\"]"}, text);
        const PlanBench plain({"device.kernels=reference"}, text);
        const plan::Plan chains = fused.plan(plan::Mode::train);
        EXPECT_TRUE(has_step(chains, chain)) << text;
        const std::vector<float> one = gradients(fused, chains);
        const std::vector<float> other = gradients(plain, plain.plan(plan::Mode::train));
        float largest = 0.0F;
        float difference = 0.0F;
        for (std::size_t i = 0; i < one.size(); ++i) {
            largest = std::max(largest, std::abs(other[i]));
            difference = std::max(difference, std::abs(one[i] - other[i]));
        }
        EXPECT_LT(difference, 1e-4F * largest) << text;
    }
}

}  // namespace
}  // namespace sluice::test
