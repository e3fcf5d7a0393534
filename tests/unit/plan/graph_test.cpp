#include <gtest/gtest.h>

#include <algorithm>

#include "plan/graph.hpp"
#include "unit/plan_bench.hpp"

namespace sluice::test {
namespace {

using plan::Mode;

std::vector<std::string> parameter_names(const plan::Plan& plan) {
    std::vector<std::string> names;
    for (const registry::ParameterInfo& parameter : plan.graph.parameters) {
        names.push_back(parameter.name);
    }
    return names;
}

TEST(PlanGraph, all_modes_share_parameters) {
    const PlanBench bench;
    const plan::Plan train = bench.plan(Mode::train);
    EXPECT_EQ(parameter_names(train), parameter_names(bench.plan(Mode::evaluate)));
    EXPECT_EQ(parameter_names(train), parameter_names(bench.plan(Mode::predict)));
    EXPECT_EQ(parameter_names(train).front(), "stem/kernel");
    EXPECT_EQ(plan::parameter_total(train.graph), (3 * 3 * 3 * 8 + 8) + 16 + (3 * 3 * 8 * 8 + 8) +
                                                      2 * (2 * (3 * 3 * 8 * 8 + 8) + 16) + (3 * 3 * 8 * 3 + 3));
}

TEST(PlanGraph, parameters_lie_in_reverse_layer_order) {
    const PlanBench bench;
    const plan::Layout layout = bench.plan(Mode::train).layout;
    EXPECT_EQ(layout.parameters.back(), 0U);
    EXPECT_TRUE(std::ranges::is_sorted(layout.parameters, std::greater{}));
}

TEST(PlanGraph, dropout_is_left_out_of_evaluation) {
    const PlanBench bench;
    const auto has_dropout = [&](Mode mode) {
        const plan::Plan plan = bench.plan(mode);
        return std::ranges::count(plan.graph.nodes, "dropout", &plan::Node::type) > 0;
    };
    EXPECT_TRUE(has_dropout(Mode::train));
    EXPECT_FALSE(has_dropout(Mode::evaluate));
}

TEST(PlanGraph, a_provider_may_claim_a_chain) {
    const PlanBench bench;
    EXPECT_TRUE(has_step(bench.plan(Mode::train), {"batch_norm", "relu"}));
    const PlanBench plain({"device.kernels=reference"});
    EXPECT_FALSE(has_step(plain.plan(Mode::train), {"batch_norm", "relu"}));
}

TEST(PlanGraph, the_first_layer_has_no_input_gradient) {
    const PlanBench bench;
    const plan::Plan plan = bench.plan(Mode::train);
    for (const plan::Step& step : plan.steps) {
        const plan::Node& node = plan.graph.nodes[step.nodes.front()];
        if (node.path == "stem") {
            EXPECT_FALSE(step.input_gradients.front());
            EXPECT_TRUE(step.has_backward);
        }
        if (node.type == "image_to_tensor") {
            EXPECT_FALSE(step.has_backward);
        }
    }
}

TEST(PlanGraph, evaluation_measures_the_input_too) {
    const PlanBench bench;
    const plan::Plan plan = bench.plan(Mode::evaluate);
    ASSERT_EQ(plan.graph.metrics.size(), 2U);
    EXPECT_EQ(plan.graph.metrics[0].name, "psnr");
    EXPECT_FALSE(plan.graph.metrics[0].of_input);
    EXPECT_EQ(plan.graph.metrics[1].name, "input_psnr");
    EXPECT_TRUE(plan.graph.metrics[1].of_input);
}

TEST(PlanGraph, shapes_that_do_not_fit_are_refused_with_both) {
    const PlanBench bench({"model.layers.3.stride=4"});
    const std::string message = error_of([&] { (void)bench.plan(Mode::train); });
    EXPECT_NE(message.find("test.toml:20:5: layer"), std::string::npos) << message;
    EXPECT_NE(message.find("[2, 16, 16, 8]"), std::string::npos) << message;
    EXPECT_NE(message.find("[2, 8, 8, 8]"), std::string::npos) << message;
}

TEST(PlanGraph, a_loss_must_be_a_loss) {
    const PlanBench bench({"loss.use=add"});
    EXPECT_NE(error_of([&] { (void)bench.plan(Mode::train); }).find("'add' is not a loss"), std::string::npos);
}

TEST(PlanGraph, a_field_that_the_data_does_not_have_is_named) {
    const PlanBench bench({"model.input=blured"});
    EXPECT_NE(error_of([&] { (void)bench.plan(Mode::train); }).find("no field 'blured'"), std::string::npos);
}

}  // namespace
}  // namespace sluice::test
