// Each pass does its work on a plan, and none changes what is computed.
#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "plan/passes/lifetimes.hpp"
#include "plan/passes/verify.hpp"
#include "plan/plan_text.hpp"
#include "unit/plan_bench.hpp"

namespace sluice::test {
namespace {

using plan::Direction;
using plan::Mode;

std::string did(const plan::Plan& plan, const std::string& pass) {
    const auto record = std::ranges::find(plan.passes, pass, &plan::PassRecord::name);
    return record == plan.passes.end() ? "" : record->did;
}

std::size_t count(const plan::Plan& plan, Direction direction) {
    return static_cast<std::size_t>(std::ranges::count(plan.launches, direction, &plan::Launch::direction));
}

TEST(PlanPasses, say_what_they_did) {
    const PlanBench bench;
    const plan::Plan plan = bench.plan(Mode::train);
    const std::string listing = plan::list_plan(plan);
    for (const char* pass : {"gradients", "kernels", "in place", "arena"}) {
        EXPECT_FALSE(did(plan, pass).empty()) << pass;
        EXPECT_NE(listing.find(did(plan, pass)), std::string::npos) << listing;
    }
    EXPECT_EQ(did(plan, "evaluation"), "");
    EXPECT_EQ(did(plan, "recompute"), "");
}

TEST(PlanPasses, leave_out_gradients_of_the_data) {
    EXPECT_EQ(did(PlanBench().plan(Mode::train), "gradients"), "not computed for input data in 'stem', 'loss'");
    EXPECT_EQ(did(PlanBench().plan(Mode::evaluate), "gradients"), "");
}

TEST(PlanPasses, leave_dropout_out_of_evaluation) {
    const PlanBench bench;
    const plan::Plan evaluate = bench.plan(Mode::evaluate);
    EXPECT_EQ(did(evaluate, "evaluation"), "2 layers without effect outside training are left out");
    EXPECT_EQ(evaluate.graph.nodes.size() - evaluate.graph.metrics.size() - evaluate.graph.images.size(),
              bench.plan(Mode::train).graph.nodes.size() - 2);
}

// `stem` stays by itself, because the last `add` reads its output as it is.
TEST(PlanPasses, fold_batch_norm_into_convolutions_outside_training) {
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

// The prediction is then what the layer before it makes.
TEST(PlanPasses, leave_out_a_last_layer_that_does_nothing) {
    const PlanBench bench({"model.layers=[{type=\"conv2d\",filters=3,kernel=3},{type=\"dropout\",rate=0.5}]"});
    const plan::Plan plan = bench.plan(Mode::predict);
    EXPECT_TRUE(plan.graph.tensors[plan.graph.prediction].kept);
    EXPECT_EQ(plan.graph.nodes[1].type, "conv2d");
    EXPECT_EQ(plan.graph.nodes[1].outputs.front(), plan.graph.prediction);
}

TEST(PlanPasses, write_over_what_nobody_reads) {
    const PlanBench bench({"device.kernels=reference"});
    const plan::Plan plan = bench.plan(Mode::evaluate);
    std::size_t shared = 0;
    for (const plan::Step& step : plan.steps) {
        const bool is_over = plan.memory.tensors[step.inputs.front()] == plan.memory.tensors[step.outputs.front()];
        const bool may = !step.kernel.needs().in_place.empty();
        EXPECT_TRUE(may || !is_over) << plan.graph.nodes[step.nodes.front()].path;
        shared += is_over ? 1 : 0;
    }
    EXPECT_GE(shared, 4U);
}

// The last `add` reads the fork `stem` again. So its memory must outlive batch_norm, which could overwrite it.
TEST(PlanPasses, never_write_over_what_is_read_later) {
    const PlanBench bench({"device.kernels=reference"});
    const plan::Plan plan = bench.plan(Mode::evaluate);
    const plan::Lives lives = plan::find_lives(plan);
    for (plan::TensorId id = 0; id < lives.tensors.size(); ++id) {
        const plan::TensorId home = plan.memory.tensor_storage[id];
        if (home != id) {
            EXPECT_LE(lives.tensors[home].last, lives.tensors[id].first);
            EXPECT_FALSE(plan.graph.tensors[home].kept);
        }
    }
}

TEST(PlanPasses, run_cheap_layers_again_where_asked) {
    const PlanBench bench({"train.recompute=selective"});
    const plan::Plan plan = bench.plan(Mode::train);
    EXPECT_GT(count(plan, Direction::again), 0U);
    EXPECT_NE(did(plan, "recompute").find("run again in backward"), std::string::npos);
    for (const auto& [direction, s] : plan.launches) {
        for (const std::size_t n : plan.steps[s].nodes) {
            EXPECT_TRUE(direction != Direction::again || plan.graph.nodes[n].flops == 0.0);
        }
    }
    EXPECT_LT(plan.memory.peak_use_bytes, PlanBench().plan(Mode::train).memory.peak_use_bytes);
    EXPECT_EQ(count(bench.plan(Mode::evaluate), Direction::again), 0U);
}

TEST(PlanPasses, run_whole_blocks_again_where_asked) {
    const PlanBench bench({"train.recompute=full"});
    const plan::Plan plan = bench.plan(Mode::train);
    bool convolution = false;
    for (const auto& [direction, s] : plan.launches) {
        if (direction == Direction::again) {
            const plan::Node& node = plan.graph.nodes[plan.steps[s].nodes.front()];
            EXPECT_TRUE(node.path.starts_with("residual")) << node.path;
            convolution = convolution || node.type == "conv2d";
        }
    }
    EXPECT_TRUE(convolution);
}

// Which layers run again depends on the size of a replica's share of a batch. But no replica can sum over all of them
// alone.
TEST(PlanPasses, never_run_again_what_sums_over_replicas) {
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
                    norms += direction == Direction::again && plan.graph.nodes[n].type == "batch_norm" ? 1 : 0;
                }
            }
            EXPECT_GT(count(plan, Direction::again), 0U) << recompute;
            return norms;
        };
        EXPECT_GT(repeated(kModel), 0U) << recompute;
        EXPECT_EQ(repeated(synchronized), 0U) << recompute;
    }
}

TEST(PlanPasses, refuse_a_recompute_that_is_none) {
    EXPECT_NE(error_of([] { (void)PlanBench({"train.recompute=selectiv"}); }).find("did you mean"), std::string::npos);
}

TEST(PlanPasses, come_close_to_the_least_arena) {
    for (const Mode mode : {Mode::train, Mode::evaluate}) {
        const PlanBench bench;
        const plan::Plan plan = bench.plan(mode);
        EXPECT_GE(plan.memory.arena_bytes, plan.memory.peak_use_bytes);
        EXPECT_LE(plan.memory.arena_bytes, plan.memory.peak_use_bytes * 11 / 10);
    }
}

TEST(PlanPasses, are_verified) {
    const PlanBench bench;
    plan::Plan overlapping = bench.plan(Mode::train);
    std::ranges::fill(overlapping.memory.gradients, 0);
    EXPECT_THROW(plan::verify(overlapping, "test"), std::logic_error);
    plan::Plan unordered = bench.plan(Mode::train);
    std::swap(unordered.launches[0], unordered.launches[5]);
    EXPECT_THROW(plan::verify(unordered, "test"), std::logic_error);
    plan::Plan incomplete = bench.plan(Mode::train);
    incomplete.steps.back().nodes.clear();
    EXPECT_THROW(plan::verify(incomplete, "test"), std::logic_error);
    plan::Plan sound = bench.plan(Mode::train);
    EXPECT_NO_THROW(plan::verify(sound, "test"));
}

}  // namespace
}  // namespace sluice::test
