// Layers without effect outside training.
#include <gtest/gtest.h>

#include "unit/plan_bench.hpp"

namespace sluice::test {
namespace {

using plan::Mode;

TEST(PlanIdentities, of_dropout_are_left_out_of_evaluation) {
    const PlanBench bench;
    const plan::Plan evaluate = bench.plan(Mode::evaluate);
    EXPECT_EQ(pass_text(evaluate, "evaluation"), "2 layers without effect outside training are left out");
    EXPECT_EQ(evaluate.graph.nodes.size() - evaluate.graph.metrics.size() - evaluate.graph.images.size(),
              bench.plan(Mode::train).graph.nodes.size() - 2);
}

// The prediction is then what the layer before it makes.
TEST(PlanIdentities, at_the_end_are_left_out) {
    const PlanBench bench({"model.layers=[{type=\"conv2d\",filters=3,kernel=3},{type=\"dropout\",rate=0.5}]"});
    const plan::Plan plan = bench.plan(Mode::predict);
    EXPECT_TRUE(plan.graph.tensors[plan.graph.prediction].kept);
    EXPECT_EQ(plan.graph.nodes[1].type, "conv2d");
    EXPECT_EQ(plan.graph.nodes[1].outputs.front(), plan.graph.prediction);
}

}  // namespace
}  // namespace sluice::test
