// How a convolution's engine is chosen, measured on the emulated GPU, remembered and made again.
#include <gtest/gtest.h>

#include <string>

#include "conv/planner.hpp"
#include "planner_memory.hpp"

namespace sluice::cudnn {
namespace {

ConvProblem small_problem(cudnnDataType_t type = CUDNN_DATA_BFLOAT16) {
    ConvProblem problem;
    problem.image = problem.kernels = type;
    problem.channels = problem.filters = 8;
    problem.in = problem.out = {6, 5};
    problem.taps = {3, 3};
    problem.before = problem.after = {1, 1};
    return problem;
}

std::string planned(const ConvProblem& problem, const Memory& memory, PlannerOptions options = {},
                    bool deterministic = false) {
    Planner planner(options);
    return planner.plan(problem, memory.sink(), deterministic)->text();
}

TEST(Planner, remembers_what_it_measured_and_takes_it_again) {
    Memory memory(true);
    const std::string chosen = planned(small_problem(), memory);
    ASSERT_EQ(memory.choices.size(), 1U);
    EXPECT_TRUE(memory.choices.begin()->second.starts_with(chosen + ", ")) << memory.choices.begin()->second;
    Memory later(false);
    later.choices = memory.choices;
    EXPECT_EQ(planned(small_problem(), later), chosen);
}

TEST(Planner, knows_the_time_of_what_was_measured) {
    Memory memory(true);
    Planner planner({});
    const auto measured = planner.plan(small_problem(), memory.sink(), false);
    ASSERT_TRUE(measured->milliseconds().has_value());
    EXPECT_GT(*measured->milliseconds(), 0.0F);
    const auto recalled = planner.plan(small_problem(), memory.sink(), false);
    EXPECT_NEAR(recalled->milliseconds().value_or(0.0F), *measured->milliseconds(), 1e-3F * *measured->milliseconds());
    Memory unmeasured(false);
    EXPECT_FALSE(planner.plan(small_problem(), unmeasured.sink(), false)->milliseconds().has_value());
}

// Here one engine multiplies float32 exactly.
TEST(Planner, measures_a_single_way_where_its_time_is_asked_for) {
    const ConvProblem problem = small_problem(CUDNN_DATA_FLOAT);
    Memory memory(true);
    Planner planner({});
    EXPECT_FALSE(planner.plan(problem, memory.sink(), false)->milliseconds().has_value());
    EXPECT_TRUE(planner.plan(problem, memory.sink(), false, true)->milliseconds().has_value());
    EXPECT_TRUE(planner.plan(problem, memory.sink(), false)->milliseconds().has_value()) << "remembered";
}

TEST(Planner, takes_what_is_recalled_before_what_is_proposed_first) {
    Memory memory(false);
    const std::string first = planned(small_problem(), memory);
    EXPECT_TRUE(memory.choices.empty());
    Memory measured(true);
    static_cast<void>(planned(small_problem(), measured));
    Planner planner({});
    for (const auto& pass : passes_for(small_problem(), planner.handle(), {}, 1U << 30)) {
        memory.choices[measured.choices.begin()->first] = pass->text() + ", 0.5 ms";
        EXPECT_EQ(planned(small_problem(), memory), pass->text());
    }
    EXPECT_FALSE(first.empty());
}

TEST(Planner, measures_anew_where_what_is_recalled_is_of_another_version) {
    Memory memory(true);
    static_cast<void>(planned(small_problem(), memory));
    for (const char* text : {"brgconv", "engine 100000:", "engine 0: 77=1", "apart, engine 0:", "engine 0:, 1x ms",
                             "engine 0:, ms", " ms"}) {
        memory.choices.begin()->second = text;
        const std::string chosen = planned(small_problem(), memory);
        EXPECT_NE(chosen, text);
        EXPECT_TRUE(memory.choices.begin()->second.starts_with(chosen + ", ")) << memory.choices.begin()->second;
    }
}

TEST(Planner, keeps_choices_under_other_conditions_apart) {
    Memory memory(true);
    static_cast<void>(planned(small_problem(), memory));
    static_cast<void>(planned(small_problem(), memory, {}, true));
    static_cast<void>(planned(small_problem(), memory, {.workspace = 1U << 20}));
    static_cast<void>(planned(small_problem(CUDNN_DATA_FLOAT), memory));
    static_cast<void>(planned(small_problem(CUDNN_DATA_FLOAT), memory, {.tf32 = true}));
    EXPECT_EQ(memory.choices.size(), 5U);
}

TEST(Planner, offers_a_bias_in_the_graph_and_apart) {
    ConvProblem problem = small_problem();
    problem.bias = true;
    Planner planner({});
    int fused = 0;
    int apart = 0;
    for (const auto& pass : passes_for(problem, planner.handle(), {}, 1U << 30)) {
        (pass->text().starts_with("apart, ") ? apart : fused) += 1;
    }
    EXPECT_GT(fused, 0);
    EXPECT_GT(apart, 0);
    problem.direction = Direction::backward_data;
    for (const auto& pass : passes_for(problem, planner.handle(), {}, 1U << 30)) {
        EXPECT_TRUE(pass->text().starts_with("apart, ")) << pass->text();
    }
}

TEST(Planner, admits_fewer_engines_where_bits_or_precision_matter) {
    Planner planner({});
    const auto count = [&](const ConvProblem& problem, const EngineLimits& limits, std::uint64_t workspace) {
        return passes_for(problem, planner.handle(), limits, workspace).size();
    };
    ConvProblem weights = small_problem(CUDNN_DATA_FLOAT);
    weights.direction = Direction::backward_weights;
    const std::size_t all = count(weights, {}, 1U << 30);
    EXPECT_LT(count(weights, {.deterministic = true}, 1U << 30), all);
    EXPECT_LT(count(weights, {.exact = true}, 1U << 30), all);
    EXPECT_LT(count(weights, {}, 0), all);
    EXPECT_GT(count(weights, {.deterministic = true, .exact = true}, 1U << 30), 0U);
}

TEST(Planner, says_what_it_cannot_compute) {
    ConvProblem problem = small_problem();
    problem.direction = Direction::backward_weights;
    problem.kernels = CUDNN_DATA_FLOAT;
    const Memory memory(true);
    try {
        static_cast<void>(planned(problem, memory));
        FAIL() << "planned";
    } catch (const sdk::Failure& failure) {
        EXPECT_NE(std::string(failure.what()).find("bwd_w bf16 f32"), std::string::npos) << failure.what();
    }
}

}  // namespace
}  // namespace sluice::cudnn
