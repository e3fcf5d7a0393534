// The layers that a precision policy stores in fewer bits, and the places of casts.
#include <gtest/gtest.h>

#include <algorithm>

#include "plan/passes/autocast.hpp"
#include "plan/precision_text.hpp"
#include "run/tuning/policy_choice.hpp"
#include "sluice/kind/layer.h"
#include "unit/plan_bench.hpp"

namespace sluice::test {
namespace {

using plan::Mode;

// Returns 1 for each low layer of a row, else 0. Each layer reads the one before it. The letters are the categories
// allow, infer, deny and clear.
std::string low_layers(const std::string& categories) {
    std::vector<plan::AutocastNode> nodes;
    for (std::size_t n = 0; n < categories.size(); ++n) {
        const auto category = static_cast<std::int32_t>(std::string("iadc").find(categories[n]));
        nodes.push_back({category, std::to_string(n), n == 0 ? std::vector<std::size_t>{} : std::vector{n - 1}});
    }
    std::string low;
    for (const plan::AutocastDecision& mine : plan::decide_autocast(nodes)) {
        low += mine.low ? '1' : '0';
        EXPECT_FALSE(mine.reason.empty());
    }
    return low;
}

TEST(AutocastCategories, allow_is_low_and_deny_is_not) {
    static_assert(SLUICE_COLOUR_INFER == 0 && SLUICE_COLOUR_ALLOW == 1 && SLUICE_COLOUR_DENY == 2 &&
                  SLUICE_COLOUR_CLEAR == 3);
    EXPECT_EQ(low_layers("a"), "1");
    EXPECT_EQ(low_layers("d"), "0");
    EXPECT_EQ(low_layers("i"), "0");
    EXPECT_EQ(low_layers("c"), "0");
}

TEST(AutocastCategories, what_follows_deny_stays_in_float32_up_to_an_allow) {
    EXPECT_EQ(low_layers("adiia"), "10001");
    EXPECT_EQ(low_layers("adcia"), "10001");
    EXPECT_EQ(low_layers("adca"), "1011") << "a clear layer is low if only an allow layer reads it";
}

TEST(AutocastCategories, what_lies_between_allow_layers_is_low) {
    EXPECT_EQ(low_layers("aicia"), "11111");
    EXPECT_EQ(low_layers("ai"), "10");
    EXPECT_EQ(low_layers("ia"), "01");
}

TEST(AutocastCategories, clear_hangs_on_what_is_low) {
    EXPECT_EQ(low_layers("acc"), "111");
    EXPECT_EQ(low_layers("cca"), "111");
    EXPECT_EQ(low_layers("aci"), "110");
}

TEST(AutocastCategories, one_input_in_float32_is_enough) {
    // Layer 3 adds layer 1, which is low, to layer 2, which is not.
    const std::vector<plan::AutocastNode> nodes{{SLUICE_COLOUR_ALLOW, "0", {}},
                                                {SLUICE_COLOUR_ALLOW, "1", {0}},
                                                {SLUICE_COLOUR_DENY, "2", {0}},
                                                {SLUICE_COLOUR_INFER, "3", {1, 2}},
                                                {SLUICE_COLOUR_ALLOW, "4", {3}}};
    const std::vector<plan::AutocastDecision> decisions = plan::decide_autocast(nodes);
    EXPECT_FALSE(decisions[3].low);
    EXPECT_EQ(decisions[3].reason, "reads '2' in float32");
    EXPECT_TRUE(decisions[4].low);
}

sluice_dtype stored(const plan::Plan& plan, const std::string& path) {
    const auto node = std::ranges::find(plan.graph.nodes, path, &plan::Node::path);
    EXPECT_NE(node, plan.graph.nodes.end()) << path;
    return node == plan.graph.nodes.end() ? sluice_dtype{} : plan.graph.tensors[node->outputs.front()].spec.dtype;
}

std::vector<std::string> casts(const plan::Plan& plan) {
    std::vector<std::string> paths;
    for (const plan::Node& node : plan.graph.nodes) {
        if (node.type == "cast") {
            paths.push_back(node.path);
        }
    }
    return paths;
}

TEST(PlanPrecision, float32_changes_nothing) {
    const PlanBench bench;
    const plan::Plan plan = bench.plan(Mode::train);
    EXPECT_TRUE(casts(plan).empty());
    EXPECT_EQ(std::ranges::find(plan.passes, "precision", &plan::PassRecord::name), plan.passes.end());
}

TEST(PlanPrecision, casts_stand_on_borders_alone) {
    const PlanBench bench({"precision.use=mixed_bfloat16"});
    for (const Mode mode : {Mode::train, Mode::evaluate, Mode::predict}) {
        const plan::Plan plan = bench.plan(mode);
        EXPECT_EQ(casts(plan), std::vector<std::string>{"feed/blurred/to_bfloat16"});
        for (const char* path :
             {"stem", "batch_norm", "relu", "residual/add", "residual_2/conv2d", "upsample", "add"}) {
            EXPECT_TRUE(stored(plan, path) == kBfloat16) << path;
        }
        EXPECT_TRUE(plan.graph.tensors[plan.graph.prediction].spec.dtype == kFloat32);
    }
}

TEST(PlanPrecision, parameters_losses_and_metrics_stay_in_float32) {
    const PlanBench bench({"precision.use=mixed_float16"});
    const plan::Plan plan = bench.plan(Mode::evaluate);
    EXPECT_TRUE(stored(plan, "residual/conv2d") == kFloat16);
    EXPECT_TRUE(stored(plan, "loss") == kFloat32);
    EXPECT_TRUE(stored(plan, "metrics/psnr") == kFloat32);
    for (const registry::ParameterInfo& parameter : plan.graph.parameters) {
        EXPECT_TRUE(parameter.spec.dtype == kFloat32) << parameter.name;
    }
    for (const registry::StateInfo& state : plan.graph.states) {
        EXPECT_TRUE(state.spec.dtype == kFloat32) << state.name;
    }
}

TEST(PlanPrecision, activations_have_half_the_bytes) {
    const auto bytes = [](const plan::Plan& plan) {
        std::uint64_t sum = 0;
        for (const plan::Node& node : plan.graph.nodes) {
            sum += node.type == "cast" ? 0 : byte_count(plan.graph.tensors[node.outputs.front()].spec);
        }
        return static_cast<double>(sum);
    };
    const double whole = bytes(PlanBench().plan(Mode::train));
    EXPECT_LT(bytes(PlanBench({"precision.use=mixed_bfloat16"}).plan(Mode::train)), 0.65 * whole);
}

std::string model_with(const std::string& from, const std::string& to) {
    std::string text = kModel;
    return text.replace(text.find(from), from.size(), to);
}

std::string stem_in(const std::string& policy) {
    return model_with("name = \"stem\"", "name = \"stem\", precision = \"" + policy + "\"");
}

TEST(PlanPrecision, of_one_layer) {
    const plan::Plan plan = PlanBench({"precision.use=mixed_bfloat16"}, stem_in("float32")).plan(Mode::train);
    EXPECT_TRUE(stored(plan, "stem") == kFloat32);
    EXPECT_TRUE(stored(plan, "batch_norm") == kFloat32) << "batch_norm reads the stem";
    EXPECT_TRUE(stored(plan, "conv2d") == kBfloat16);
}

TEST(PlanPrecision, of_one_layer_in_fewer_bits) {
    const plan::Plan plan = PlanBench({}, stem_in("mixed_float16")).plan(Mode::train);
    EXPECT_TRUE(stored(plan, "stem") == kFloat16);
    EXPECT_TRUE(stored(plan, "conv2d") == kFloat32);
    EXPECT_EQ(casts(plan).size(), 2U);
}

TEST(PlanPrecision, of_a_block) {
    const std::string text = model_with("repeat = 2", "repeat = 2, precision = \"float32\"");
    const plan::Plan plan = PlanBench({"precision.use=mixed_bfloat16"}, text).plan(Mode::train);
    for (const char* path : {"residual/conv2d", "residual/add", "residual_2/conv2d_2"}) {
        EXPECT_TRUE(stored(plan, path) == kFloat32) << path;
    }
    EXPECT_TRUE(stored(plan, "conv2d") == kBfloat16);
}

TEST(PlanPrecision, of_layers_by_measuring) {
    const std::string text = kModel + "[precision.layers]\n\"residual*\" = \"auto\"\n";
    PlanBench bench({}, text);
    EXPECT_TRUE(stored(bench.plan(Mode::train), "residual/conv2d") == kFloat32) << "the policy is not measured yet";
    run::adopt_policy("mixed_bfloat16", bench.tools);
    EXPECT_TRUE(stored(bench.plan(Mode::train), "residual/conv2d") == kBfloat16);
    EXPECT_TRUE(stored(bench.plan(Mode::train), "stem") == kFloat32);
}

TEST(PlanPrecision, of_layers_by_pattern) {
    const std::string text = kModel +
                             "[precision]\nuse = \"mixed_bfloat16\"\n[precision.layers]\n\"residual*/conv2d\" = "
                             "\"float32\"\n";
    const plan::Plan plan = PlanBench({}, text).plan(Mode::train);
    EXPECT_TRUE(stored(plan, "residual_2/conv2d") == kFloat32);
    EXPECT_TRUE(stored(plan, "residual_2/conv2d_2") == kBfloat16);
}

TEST(PlanPrecision, a_pattern_that_fits_nothing_is_an_error) {
    const std::string text = kModel + "[precision.layers]\n\"stam\" = \"float32\"\n";
    const std::string error = error_of([&] { (void)PlanBench({}, text).plan(Mode::train); });
    EXPECT_NE(error.find("test.toml:"), std::string::npos) << error;
    EXPECT_NE(error.find("no layer's path matches 'stam'; did you mean 'stem'?"), std::string::npos) << error;
}

// Their paths are listed, but they are no layers of the model.
TEST(PlanPrecision, a_pattern_for_the_loss_or_what_is_fed_says_that_these_are_float32) {
    for (const char* const pattern : {"loss", "feed/image", "metrics/*"}) {
        const std::string text = kModel + "[precision.layers]\n\"" + pattern + "\" = \"float32\"\n";
        const std::string error = error_of([&] { (void)PlanBench({}, text).plan(Mode::train); });
        EXPECT_NE(error.find("the loss, the inputs and the metrics are always float32"), std::string::npos) << error;
    }
}

TEST(PlanPrecision, a_pattern_is_never_said_to_mean_what_is_fed) {
    const PlanBench bench({}, kModel);
    const std::string fed = bench.plan(Mode::train).graph.nodes.front().path;
    ASSERT_EQ(fed.find("feed/"), 0U);
    const std::string text = kModel + "[precision.layers]\n\"f" + fed + "\" = \"float32\"\n";
    const std::string error = error_of([&] { (void)PlanBench({}, text).plan(Mode::train); });
    EXPECT_NE(error.find("no layer's path matches"), std::string::npos) << error;
    EXPECT_EQ(error.find("'" + fed + "'"), std::string::npos) << error;
}

TEST(PlanPrecision, an_unknown_policy_is_an_error) {
    const std::string error = error_of([] { (void)PlanBench({"precision.use=mixed_bfloat"}); });
    EXPECT_NE(error.find("did you mean 'mixed_bfloat16'?"), std::string::npos) << error;
}

TEST(PlanPrecision, a_type_gets_another_category) {
    const PlanBench bench({"precision.use=mixed_bfloat16", "precision.deny=[\"relu\"]"});
    const plan::Plan plan = bench.plan(Mode::train);
    EXPECT_TRUE(stored(plan, "relu") == kFloat32);
    EXPECT_TRUE(stored(plan, "residual/conv2d") == kBfloat16);
}

TEST(PlanPrecision, is_listed_with_what_kernels_compute_in) {
    const PlanBench bench({"precision.use=mixed_bfloat16", "device.kernels=reference"});
    const plan::Plan plan = bench.plan(Mode::train);
    const std::string listing = plan::list_precision(plan, bench.tools);
    EXPECT_NE(listing.find("bfloat16 by float32"), std::string::npos) << listing;
    EXPECT_EQ(listing.find("float32 by"), std::string::npos) << listing;
    const auto kernels = std::ranges::find(plan.passes, "kernels", &plan::PassRecord::name);
    ASSERT_NE(kernels, plan.passes.end());
    EXPECT_NE(kernels->did.find("compute in more bits than they store"), std::string::npos) << kernels->did;
    EXPECT_EQ(plan::list_precision(PlanBench().plan(Mode::train), bench.tools).find("multiple"), std::string::npos);
}

TEST(PlanPrecision, a_type_has_one_category) {
    const std::string error = error_of([] {
        PlanBench({"precision.use=mixed_bfloat16", "precision.deny=[\"relu\"]", "precision.infer=[\"relu\"]"});
    });
    EXPECT_NE(error.find("'relu' is listed already, in allow, infer, deny or clear"), std::string::npos) << error;
}

TEST(PlanPrecision, layers_at_the_end_do_not_round_the_output) {
    const std::string layers =
        R"({ type = "conv2d", filters = 3, kernel = 3 }, { type = "conv2d", filters = 3, kernel = 3 },
           { type = "relu" }, { type = "add", inputs = ["input", "previous"] })";
    const plan::Plan plan = PlanBench({"precision.use=mixed_bfloat16"}, pipeline_of(layers)).plan(Mode::train);
    EXPECT_TRUE(stored(plan, "conv2d") == kBfloat16);
    EXPECT_TRUE(stored(plan, "relu") == kFloat32);
    EXPECT_TRUE(stored(plan, "add") == kFloat32);
}

TEST(PlanPrecision, a_scale_that_makes_no_sense_is_an_error) {
    const auto refused = [](const std::string& value) {
        return error_of([&] { PlanBench({"precision.use=mixed_float16", "precision." + value}); });
    };
    EXPECT_NE(refused("scale=-1").find("precision.scale"), std::string::npos) << refused("scale=-1");
    EXPECT_NE(refused("growth=1").find("growth: "), std::string::npos) << refused("growth=1");
    EXPECT_NE(refused("backoff=1").find("backoff: "), std::string::npos) << refused("backoff=1");
    EXPECT_NE(refused("floor=1e9").find("scale: 32768 must lie between floor, 1e+09"), std::string::npos)
        << refused("floor=1e9");
    for (const char* value : {"scale=-1", "growth=1", "backoff=1", "floor=1e9"}) {
        EXPECT_EQ(refused(value).find("misbehaves"), std::string::npos) << refused(value);
    }
}

TEST(PlanPrecision, is_listed_with_reasons) {
    const PlanBench bench({"precision.use=mixed_bfloat16"});
    const std::string listing = plan::list_precision(bench.plan(Mode::train), bench.tools);
    EXPECT_NE(listing.find("gains from fewer bits"), std::string::npos) << listing;
    EXPECT_NE(listing.find("needs float32"), std::string::npos) << listing;
    EXPECT_NE(listing.find("'stem' 3 -> 8"), std::string::npos) << listing;
    EXPECT_EQ(listing.find("'residual/conv2d' 8 -> 8"), std::string::npos) << listing;
    EXPECT_NE(listing.find("2 is not a multiple of 8"), std::string::npos) << listing;
}

}  // namespace
}  // namespace sluice::test
