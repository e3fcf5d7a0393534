// Kernels that compute several layers at once: which layers, and that they compute what single kernels compute.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "unit/executor_bench.hpp"

namespace sluice::test {
namespace {

using plan::Mode;

// `stem` stays by itself, because the last `add` reads its output as it is.
TEST(PlanKernels, fold_batch_norm_into_convolutions_outside_training) {
    const PlanBench bench({"device.kernels=[\"onednn\",\"reference\"]"});
    const std::vector<std::string> folded{"conv2d", "batch_norm", "relu"};
    EXPECT_FALSE(has_step(bench.plan(Mode::train), folded));
    for (const Mode mode : {Mode::evaluate, Mode::predict}) {
        const plan::Plan plan = bench.plan(mode);
        EXPECT_TRUE(has_step(plan, folded));
        const auto stem = std::ranges::find_if(
            plan.steps, [&](const plan::Step& step) { return plan.graph.nodes[step.nodes.front()].path == "stem"; });
        ASSERT_NE(stem, plan.steps.end());
        EXPECT_EQ(stem->nodes.size(), 1U);
    }
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

TEST(PlanKernels, chains_compute_what_single_kernels_compute) {
    for (const auto& [text, chain] : {std::pair(kModel, std::vector<std::string>{"batch_norm", "relu", "dropout"}),
                                      std::pair(kFork, std::vector<std::string>{"batch_norm", "relu", "add"}),
                                      std::pair(kOneInput, std::vector<std::string>{"batch_norm", "relu", "add"}),
                                      std::pair(kTwice, std::vector<std::string>{"add", "relu"})}) {
        const PlanBench fused({"device.kernels=[\"onednn\",\"reference\"]"}, text);
        const PlanBench plain({"device.kernels=reference"}, text);
        const plan::Plan chains = fused.plan(Mode::train);
        EXPECT_TRUE(has_step(chains, chain)) << text;
        const std::vector<float> one = step_results(fused, chains);
        const std::vector<float> other = step_results(plain, plain.plan(Mode::train));
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
