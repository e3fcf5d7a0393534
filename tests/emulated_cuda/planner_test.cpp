// Tests how a convolution's engine is chosen, measured on the emulated GPU, remembered and made again.
#include <gtest/gtest.h>

#include <string>

#include "conv/planner.hpp"
#include "conv/search.hpp"
#include "engines.hpp"
#include "machine.hpp"
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
    EXPECT_EQ(recalled->milliseconds(), measured->milliseconds());
    Planner later({});
    EXPECT_EQ(later.plan(small_problem(), memory.sink(), false)->milliseconds(), measured->milliseconds())
        << "a resumed run compares the same times as this one";
    Memory unmeasured(false);
    EXPECT_FALSE(planner.plan(small_problem(), unmeasured.sink(), false)->milliseconds().has_value());
}

// The arithmetic of the problem is 2 * (6 * 5 * 8) * (9 * 8) products and sums.
TEST(Planner, notes_how_fast_what_was_measured_is) {
    Memory memory(true);
    Planner planner({});
    EXPECT_EQ(flops(small_problem()), 34560.0);
    const std::string text = planner.plan(small_problem(), memory.sink(), false)->text();
    ASSERT_EQ(memory.choices.size(), 1U);
    memory.choices.begin()->second = text + ", 0.025 ms";
    const auto pass = planner.plan(small_problem(), memory.sink(), false);
    EXPECT_EQ(pass->note(), "engine " + std::to_string(pass->choice().engine) + " in 0.025 ms, 0.001382 TFLOP/s");
    Memory unmeasured(false);
    EXPECT_EQ(planner.plan(small_problem(), unmeasured.sink(), false)->note(), "engine 1");
}

// In the emulation, only one engine multiplies float32 exactly.
TEST(Planner, measures_a_single_way_too) {
    Memory memory(true);
    Planner planner({});
    EXPECT_TRUE(planner.plan(small_problem(CUDNN_DATA_FLOAT), memory.sink(), false)->milliseconds().has_value());
}

TEST(Planner, measures_anew_what_is_recalled_without_a_time_that_is_asked_for) {
    Memory memory(true);
    Planner planner({});
    const std::string text = planner.plan(small_problem(), memory.sink(), false)->text();
    memory.choices.begin()->second = text;
    EXPECT_FALSE(planner.plan(small_problem(), memory.sink(), false)->milliseconds().has_value());
    EXPECT_TRUE(planner.plan(small_problem(), memory.sink(), false, true)->milliseconds().has_value());
    EXPECT_NE(memory.choices.begin()->second, text);
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

TEST(Planner, measures_again_if_the_recalled_choice_is_of_another_version) {
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

// If cuDNN does not compute the sums, the measurement includes the pass that does.
TEST(Planner, offers_sums_of_float16_in_the_graph_and_apart) {
    ConvProblem problem = small_problem(CUDNN_DATA_HALF);
    problem.sums = true;
    Planner planner({});
    int fused = 0;
    int apart = 0;
    for (const auto& pass : passes_for(problem, planner.handle(), {}, 1U << 30)) {
        EXPECT_NE(pass->writes_sums(), pass->text().starts_with("apart, "));
        (pass->writes_sums() ? fused : apart) += 1;
    }
    EXPECT_GT(fused, 0);
    EXPECT_GT(apart, 0);
    Memory memory(true);
    const std::string chosen = planned(problem, memory);
    ASSERT_EQ(memory.choices.size(), 1U);
    EXPECT_TRUE(memory.choices.begin()->second.starts_with(chosen + ", ")) << memory.choices.begin()->second;
    EXPECT_NE(memory.choices.begin()->first.find(" sums"), std::string::npos);
}

TEST(Planner, takes_sums_apart_if_no_engine_has_them) {
    ConvProblem problem = small_problem();
    problem.sums = true;
    Planner planner({});
    const auto passes = passes_for(problem, planner.handle(), {}, 1U << 30);
    ASSERT_FALSE(passes.empty());
    for (const auto& pass : passes) {
        EXPECT_FALSE(pass->writes_sums()) << pass->text();
    }
}

TEST(Planner, admits_fewer_engines_if_bits_or_precision_matter) {
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

// Resets the faults and counters of the engines before and after each test.
class Trial : public testing::Test {
protected:
    using EngineNumber = emulated::dnn::EngineNumber;
    using Fault = emulated::dnn::Fault;

    void SetUp() override { emulated::dnn::trials() = {}; }
    void TearDown() override { emulated::dnn::trials() = {}; }

    // Returns the choice if nothing is remembered. `lines` get the log.
    std::string chosen(const ConvProblem& problem, const std::vector<EngineNumber>& engines, Fault fault) {
        for (const EngineNumber engine : engines) {
            emulated::dnn::trials().faults[engine] = fault;
        }
        return planned(problem, memory, {.log_line = [&](const std::string& line) { lines.push_back(line); }});
    }

    Memory memory{true};
    std::vector<std::string> lines;
};

TEST_F(Trial, makes_one_plan_if_nothing_may_be_measured) {
    ConvProblem problem = small_problem(CUDNN_DATA_HALF);
    problem.sums = true;
    Memory unmeasured(false);
    Planner planner({});
    const auto first = planner.plan(problem, unmeasured.sink(), false);
    EXPECT_EQ(emulated::dnn::trials().made, 1U);
    EXPECT_EQ(first->text(), passes_for(problem, planner.handle(), {}, 1U << 30).front()->text());
}

TEST_F(Trial, makes_one_plan_for_equal_problems) {
    Planner planner({});
    Memory unmeasured(false);
    const std::string first = planner.plan(small_problem(), unmeasured.sink(), false)->text();
    EXPECT_EQ(planner.plan(small_problem(), unmeasured.sink(), false)->text(), first);
    EXPECT_EQ(emulated::dnn::trials().made, 1U);
    const std::string measured = planner.plan(small_problem(), memory.sink(), false)->text();
    const unsigned made = emulated::dnn::trials().made;
    EXPECT_GT(made, 1U);
    for (int again = 0; again < 3; ++again) {
        EXPECT_EQ(planner.plan(small_problem(), memory.sink(), false)->text(), measured);
    }
    EXPECT_EQ(emulated::dnn::trials().made, made);
    Planner later({});
    for (int again = 0; again < 3; ++again) {
        EXPECT_EQ(later.plan(small_problem(), memory.sink(), false)->text(), measured);
    }
    EXPECT_EQ(emulated::dnn::trials().made, made + 1) << "one plan is made from the remembered choice";
    static_cast<void>(later.plan(small_problem(), memory.sink(), true));
    EXPECT_GT(emulated::dnn::trials().made, made + 1) << "deterministic kernels have a choice of their own";
}

// Two heuristics may propose the same engine.
TEST_F(Trial, makes_no_plan_twice_to_measure_it) {
    Planner planner({});
    const auto passes = passes_for(small_problem(), planner.handle(), {}, 1U << 30);
    EXPECT_EQ(emulated::dnn::trials().made, passes.size());
}

TEST_F(Trial, leaves_out_an_engine_that_fails_when_it_runs) {
    const std::string text = chosen(small_problem(), {EngineNumber::tensor_core}, Fault::executing);
    EXPECT_EQ(text, "engine 0:");
    ASSERT_EQ(memory.choices.size(), 1U);
    EXPECT_TRUE(memory.choices.begin()->second.starts_with(text)) << memory.choices.begin()->second;
    ASSERT_EQ(lines.size(), 2U);  // two tiles were proposed
    EXPECT_NE(lines[0].find("fwd bf16"), std::string::npos) << lines[0];
    EXPECT_NE(lines[0].find("does not use engine 1:"), std::string::npos) << lines[0];
    EXPECT_NE(lines[0].find("makes the engine fail"), std::string::npos) << lines[0];
}

ConvProblem uneven_problem(Direction direction, cudnnDataType_t type) {
    ConvProblem problem = small_problem(type);
    problem.direction = direction;
    problem.stride = {2, 2};
    problem.before = {0, 1};
    problem.after = {1, 2};
    problem.out = {3, 3};
    return problem;
}

constexpr Direction kDirections[] = {Direction::forward, Direction::backward_data, Direction::backward_weights};

// cuDNN 9.19 computes such wrong numbers without an error.
TEST_F(Trial, leaves_out_an_engine_that_computes_wrong_numbers) {
    for (const Direction direction : kDirections) {
        lines.clear();
        const std::string text =
            chosen(uneven_problem(direction, CUDNN_DATA_BFLOAT16), {EngineNumber::tensor_core}, Fault::uneven_zeros);
        EXPECT_FALSE(text.starts_with("engine 1:")) << text;
        ASSERT_EQ(lines.size(), 2U) << name_of(direction);
        EXPECT_NE(lines[0].find("does not use engine 1: "), std::string::npos) << lines[0];
        EXPECT_NE(lines[0].find("it computes "), std::string::npos) << lines[0];
        EXPECT_NE(lines[0].find("expected "), std::string::npos) << lines[0];
    }
}

TEST_F(Trial, leaves_it_out_too_if_nothing_may_be_measured) {
    Memory unmeasured(false);
    emulated::dnn::trials().faults[EngineNumber::tensor_core] = Fault::uneven_zeros;
    for (const Direction direction : kDirections) {
        EXPECT_EQ(planned(uneven_problem(direction, CUDNN_DATA_HALF), unmeasured), "engine 0:") << name_of(direction);
    }
    EXPECT_TRUE(planned(small_problem(CUDNN_DATA_HALF), unmeasured).starts_with("engine 1:"));
}

// No correct engine is rejected.
TEST_F(Trial, takes_every_engine_whatever_the_convolution) {
    const auto every = [](const auto& change) {
        for (const Direction direction : kDirections) {
            for (const cudnnDataType_t type : {CUDNN_DATA_FLOAT, CUDNN_DATA_BFLOAT16, CUDNN_DATA_HALF}) {
                std::vector<std::string> log_lines;
                ConvProblem problem = uneven_problem(direction, type);
                change(problem);
                static_cast<void>(planned(problem, Memory(true),
                                          {.log_line = [&](const std::string& line) { log_lines.push_back(line); }}));
                EXPECT_TRUE(log_lines.empty()) << log_lines.front();
            }
        }
    };
    every([](ConvProblem&) {});
    every([](ConvProblem& p) { p.add = true; });
    every([](ConvProblem& p) { p.batch = 3; });
    every([](ConvProblem& p) { p.groups = 2; });
    every([](ConvProblem& p) {
        p.channels = 16;
        p.groups = 8;
    });
    every([](ConvProblem& p) {
        p.stride = {1, 1};
        p.dilation = {2, 1};
        p.before = {2, 0};
        p.after = {1, 3};
        p.out = {5, 6};
    });
    every([](ConvProblem& p) {
        p.upsampled = true;
        p.in = {6, 10};
        p.stride = {1, 1};
        p.before = p.after = {1, 1};
        p.out = p.in;
        p.add = p.direction == Direction::backward_data;
    });
    every([](ConvProblem& p) {
        p.bias = p.direction != Direction::backward_weights;
        p.relu = p.direction == Direction::forward;
    });
}

TEST_F(Trial, says_that_no_engine_works_and_why) {
    try {
        chosen(small_problem(), {EngineNumber::plain, EngineNumber::tensor_core}, Fault::executing);
        FAIL() << "a plan was made";
    } catch (const sdk::Failure& failure) {
        const std::string message = failure.what();
        EXPECT_EQ(failure.status(), SLUICE_UNSUPPORTED);
        EXPECT_NE(message.find("fwd bf16"), std::string::npos) << message;
        EXPECT_NE(message.find("makes the engine fail"), std::string::npos) << message;
    }
    EXPECT_TRUE(memory.choices.empty());
}

TEST_F(Trial, prefers_engines_that_can_be_recorded) {
    EXPECT_EQ(chosen(small_problem(), {EngineNumber::tensor_core}, Fault::recording), "engine 0:");
    EXPECT_TRUE(lines.empty());
}

TEST_F(Trial, measures_engines_none_of_which_can_be_recorded) {
    const std::string text =
        chosen(small_problem(), {EngineNumber::plain, EngineNumber::tensor_core}, Fault::recording);
    EXPECT_TRUE(memory.choices.begin()->second.starts_with(text)) << memory.choices.begin()->second;
    EXPECT_TRUE(lines.empty());
    EXPECT_EQ(emulated::dnn::trials().computed, emulated::dnn::trials().executed);
}

// Later work must not be enqueued on a destroyed stream.
TEST_F(Trial, leaves_the_handle_without_its_stream) {
    Planner planner({});
    static_cast<void>(planner.plan(small_problem(), memory.sink(), false));
    cudaStream_t stream = nullptr;
    ASSERT_EQ(cudnnGetStream(planner.handle().native(), &stream), CUDNN_STATUS_SUCCESS);
    EXPECT_EQ(stream, nullptr);
}

TEST_F(Trial, times_replays_and_not_the_host_that_puts_work_on_a_stream) {
    static_cast<void>(planned(small_problem(), memory));
    constexpr unsigned kDirect = 3 * 2;  // for each of three engines, one run to load it and one to time it
    const unsigned recorded = emulated::dnn::trials().executed - kDirect;
    EXPECT_GE(emulated::dnn::trials().computed, kDirect + 5 * recorded);
}

TEST_F(Trial, takes_the_first_and_remembers_nothing_if_memory_is_short) {
    ConvProblem problem = small_problem();
    problem.in = problem.out = {1 << 10, 1 << 10};
    problem.filters = 1 << 13;  // y has 16 GiB
    const std::size_t left = emulated::machine().memory.left();
    EXPECT_EQ(chosen(problem, {}, Fault::executing), "engine 0:");
    EXPECT_TRUE(memory.choices.empty());
    ASSERT_EQ(lines.size(), 1U);
    EXPECT_NE(lines[0].find("not measured"), std::string::npos) << lines[0];
    EXPECT_EQ(emulated::machine().memory.left(), left);
    static_cast<void>(planned(small_problem(), memory));
    EXPECT_EQ(memory.choices.size(), 1U);
}

TEST_F(Trial, takes_an_engine_that_found_no_memory_for_none_that_is_broken) {
    for (const Fault fault : {Fault::device_memory, Fault::host_memory}) {
        lines.clear();
        EXPECT_EQ(chosen(small_problem(), {EngineNumber::tensor_core}, fault), "engine 1: 2=2");
        EXPECT_TRUE(memory.choices.empty());
        ASSERT_EQ(lines.size(), 1U);
        EXPECT_NE(lines[0].find("not measured"), std::string::npos) << lines[0];
    }
}

TEST_F(Trial, says_that_a_plan_found_no_memory) {
    try {
        chosen(small_problem(), {EngineNumber::tensor_core}, Fault::making);
        FAIL() << "a plan was made";
    } catch (const sdk::Failure& failure) {
        EXPECT_EQ(failure.status(), SLUICE_NO_MEMORY) << failure.what();
    }
}

TEST(Planner, says_what_it_cannot_compute) {
    ConvProblem problem = small_problem();
    problem.direction = Direction::backward_weights;
    problem.kernels = CUDNN_DATA_FLOAT;
    const Memory memory(true);
    try {
        static_cast<void>(planned(problem, memory));
        FAIL() << "a plan was made";
    } catch (const sdk::Failure& failure) {
        EXPECT_NE(std::string(failure.what()).find("bwd_w bf16 f32"), std::string::npos) << failure.what();
    }
}

}  // namespace
}  // namespace sluice::cudnn
