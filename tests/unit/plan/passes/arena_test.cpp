// The arena: sharing memory must not change a bit of what is computed, and must save memory.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "unit/executor_bench.hpp"

namespace sluice::test {
namespace {

using plan::Mode;

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
        move(plan.memory.recomputed_tensors[id], byte_count(plan.graph.tensors[id].spec));
        move(plan.memory.gradients[id], byte_count(plan.graph.tensors[id].spec));
    }
    for (plan::Step& step : plan.steps) {
        for (std::size_t i = 0; i < step.saved.size(); ++i) {
            move(step.saved[i], step.kernel.needs().saved[i]);
            move(step.recomputed_saved[i], step.kernel.needs().saved[i]);
        }
        for (std::size_t i = 0; i < step.recomputed_states.size(); ++i) {
            move(step.recomputed_states[i], byte_count(plan.graph.states[step.states[i]].spec));
        }
        move(step.forward_workspace, step.kernel.needs().workspace);
        move(step.recompute_workspace, step.kernel.needs().workspace);
        move(step.backward_workspace, step.kernel.needs().workspace);
    }
    plan.memory.arena_bytes = next;
}

TEST(PlanArena, sharing_changes_no_bit) {
    for (const char* kernels : {"device.kernels=[\"onednn\",\"reference\"]", "device.kernels=reference"}) {
        const PlanBench bench({kernels});
        const plan::Plan shared = bench.plan(Mode::train);
        plan::Plan apart = bench.plan(Mode::train);
        spread(apart);
        const std::vector<float> one = step_results(bench, shared);
        const std::vector<float> other = step_results(bench, apart);
        // Padding between parameters belongs to none of them, but initialise() has set it to zero.
        EXPECT_EQ(std::memcmp(one.data(), other.data(), one.size() * sizeof(float)), 0) << kernels;
        EXPECT_TRUE(std::ranges::any_of(one, [](float g) { return g != 0.0F; })) << kernels;
    }
}

TEST(PlanArena, sharing_saves_memory) {
    const PlanBench bench;
    const plan::Plan train = bench.plan(Mode::train);
    const plan::Plan evaluate = bench.plan(Mode::evaluate);
    EXPECT_LT(train.memory.arena_bytes, train.memory.without_reuse_bytes * 3 / 4);
    EXPECT_LT(evaluate.memory.arena_bytes, train.memory.arena_bytes);
}

TEST(PlanArena, is_close_to_the_smallest_possible) {
    for (const Mode mode : {Mode::train, Mode::evaluate}) {
        const PlanBench bench;
        const plan::Plan plan = bench.plan(mode);
        EXPECT_GE(plan.memory.arena_bytes, plan.memory.peak_use_bytes);
        EXPECT_LE(plan.memory.arena_bytes, plan.memory.peak_use_bytes * 11 / 10);
    }
}

}  // namespace
}  // namespace sluice::test
