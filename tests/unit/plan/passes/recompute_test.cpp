// Layers that run again in backward: which ones, and that no bit changes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "unit/executor_bench.hpp"

namespace sluice::test {
namespace {

using plan::Direction;
using plan::Mode;

std::size_t count(const plan::Plan& plan, Direction direction) {
    return static_cast<std::size_t>(std::ranges::count(plan.launches, direction, &plan::Launch::direction));
}

TEST(PlanRecompute, recomputes_cheap_layers_if_asked) {
    const PlanBench bench({"train.recompute=selective"});
    const plan::Plan plan = bench.plan(Mode::train);
    EXPECT_GT(count(plan, Direction::recompute), 0U);
    EXPECT_NE(pass_text(plan, "recompute").find("run again in backward"), std::string::npos);
    for (const auto& [direction, s] : plan.launches) {
        for (const std::size_t n : plan.steps[s].nodes) {
            EXPECT_TRUE(direction != Direction::recompute || plan.graph.nodes[n].flops == 0.0);
        }
    }
    EXPECT_LT(plan.memory.peak_use_bytes, PlanBench().plan(Mode::train).memory.peak_use_bytes);
    EXPECT_EQ(count(bench.plan(Mode::evaluate), Direction::recompute), 0U);
}

TEST(PlanRecompute, recomputes_whole_blocks_if_asked) {
    const PlanBench bench({"train.recompute=full"});
    const plan::Plan plan = bench.plan(Mode::train);
    bool convolution = false;
    for (const auto& [direction, s] : plan.launches) {
        if (direction == Direction::recompute) {
            const plan::Node& node = plan.graph.nodes[plan.steps[s].nodes.front()];
            EXPECT_TRUE(node.path.starts_with("residual")) << node.path;
            convolution = convolution || node.type == "conv2d";
        }
    }
    EXPECT_TRUE(convolution);
}

// Which layers run again depends on the size of a replica's share of a batch. But no replica can sum over all of them
// alone.
TEST(PlanRecompute, never_recomputes_what_sums_over_replicas) {
    std::string synchronized = kModel;
    const std::string type = "{ type = \"batch_norm\"";
    for (std::size_t at = 0; (at = synchronized.find(type, at)) != std::string::npos; at += type.size()) {
        synchronized.insert(at + type.size(), ", synchronized = true");
    }
    for (const std::string recompute : {"selective", "full"}) {
        const std::vector<std::string> sets{"train.recompute=" + recompute, "device.kernels=reference"};
        const auto repeated = [&](const std::string& model) {
            const plan::Plan plan = PlanBench(sets, model).plan(Mode::train);
            std::size_t norms = 0;
            for (const auto& [direction, s] : plan.launches) {
                for (const std::size_t n : plan.steps[s].nodes) {
                    norms += direction == Direction::recompute && plan.graph.nodes[n].type == "batch_norm" ? 1 : 0;
                }
            }
            EXPECT_GT(count(plan, Direction::recompute), 0U) << recompute;
            return norms;
        };
        EXPECT_GT(repeated(kModel), 0U) << recompute;
        EXPECT_EQ(repeated(synchronized), 0U) << recompute;
    }
}

TEST(PlanRecompute, changes_no_bit) {
    for (const std::string kernels : {"device.kernels=[\"onednn\",\"reference\"]", "device.kernels=reference"}) {
        const PlanBench keeping({kernels, "device.measure=false"});
        const std::vector<float> kept = step_results(keeping, keeping.plan(Mode::train));
        for (const std::string recompute : {"selective", "full"}) {
            const PlanBench bench({kernels, "device.measure=false", "train.recompute=" + recompute});
            const std::vector<float> again = step_results(bench, bench.plan(Mode::train));
            EXPECT_EQ(std::memcmp(kept.data(), again.data(), kept.size() * sizeof(float)), 0) << kernels << recompute;
        }
    }
}

TEST(PlanRecompute, refuses_an_unknown_kind) {
    EXPECT_NE(error_of([] { (void)PlanBench({"train.recompute=selectiv"}); }).find("did you mean"), std::string::npos);
}

}  // namespace
}  // namespace sluice::test
