// Tests what the tuning cache stores of a choice: its text and its key.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "described_gpu.hpp"
#include "graph/plan.hpp"

namespace sluice::cudnn {
namespace {

ConvProblem small_problem() {
    ConvProblem problem;
    problem.image = problem.kernels = CUDNN_DATA_BFLOAT16;
    problem.batch = 4;
    problem.channels = problem.filters = 64;
    problem.in = problem.out = {32, 32};
    problem.taps = {3, 3};
    problem.before = problem.after = {1, 1};
    return problem;
}

TEST(EngineChoice, is_the_same_after_a_trip_through_text) {
    const EngineChoice choice{.engine = 34, .knobs = {{2, 5}, {12, -1}}};
    EXPECT_EQ(choice.text(), "engine 34: 2=5 12=-1");
    ASSERT_TRUE(EngineChoice::of(choice.text()).has_value());
    EXPECT_EQ(*EngineChoice::of(choice.text()), choice);
    const EngineChoice plain{.engine = 0, .knobs = {}};
    EXPECT_EQ(EngineChoice::of(plain.text()), plain);
}

TEST(EngineChoice, is_none_if_the_text_is_damaged) {
    for (const char* text : {"", "engine", "engine :", "engine 3", "engine 3: 2", "engine 3: 2=", "engine 3: 2=5,",
                             "engine x: 2=5", "apart, engine 3:"}) {
        EXPECT_FALSE(EngineChoice::of(text).has_value()) << text;
    }
}

TEST(EngineChoice, makes_the_same_plan_without_heuristics) {
    const DescribedGpu gpu = DescribedGpu::h200();
    const ConvGraph graph(small_problem(), gpu);
    int made = 0;
    for (const EngineChoice& choice : propose(graph.graph(), gpu, {}, CUDNN_HEUR_MODE_A, 4)) {
        const auto plan = ExecutionPlan::make(graph.graph(), gpu, choice);
        if (plan == nullptr) {
            continue;
        }
        const ConvGraph later(small_problem(), gpu);
        const auto again = ExecutionPlan::make(later.graph(), gpu, *EngineChoice::of(choice.text()));
        ASSERT_NE(again, nullptr) << choice.text();
        EXPECT_EQ(again->choice(), choice);
        EXPECT_EQ(again->workspace(), plan->workspace());
        EXPECT_FALSE(choice.knobs.empty());
        ++made;
    }
    EXPECT_GT(made, 0);
}

TEST(EngineChoice, of_an_engine_that_cudnn_does_not_know_makes_no_plan) {
    const DescribedGpu gpu = DescribedGpu::h200();
    const ConvGraph graph(small_problem(), gpu);
    EXPECT_EQ(ExecutionPlan::make(graph.graph(), gpu, {.engine = 100000, .knobs = {}}), nullptr);
    EXPECT_EQ(ExecutionPlan::make(graph.graph(), gpu, {.engine = 0, .knobs = {{100000, 1}}}), nullptr);
}

// Returns the names of the engine's notes that mean inexact numbers. Expects tiles of exactly the engines that have a
// note of Winograd.
std::set<std::string> inexact_notes(const Descriptor& graph, const Target& target, const EngineChoice& choice) {
    const std::map<cudnnBackendNumericalNote_t, std::string> inexact = {
        {CUDNN_NUMERICAL_NOTE_TENSOR_CORE, "tensor core"},
        {CUDNN_NUMERICAL_NOTE_DOWN_CONVERT_INPUTS, "rounded inputs"},
        {CUDNN_NUMERICAL_NOTE_REDUCED_PRECISION_REDUCTION, "rounded sums"},
        {CUDNN_NUMERICAL_NOTE_FFT, "FFT"},
        {CUDNN_NUMERICAL_NOTE_WINOGRAD, "Winograd"},
        {CUDNN_NUMERICAL_NOTE_WINOGRAD_TILE_4x4, "Winograd 4x4"},
        {CUDNN_NUMERICAL_NOTE_WINOGRAD_TILE_6x6, "Winograd 6x6"},
        {CUDNN_NUMERICAL_NOTE_WINOGRAD_TILE_13x13, "Winograd 13x13"}};
    Descriptor engine(CUDNN_BACKEND_ENGINE_DESCRIPTOR);
    engine.set(CUDNN_ATTR_ENGINE_OPERATION_GRAPH, graph).set(CUDNN_ATTR_ENGINE_GLOBAL_INDEX, choice.engine);
    target.bind_engine(engine);
    std::set<std::string> found;
    if (engine.try_finalize()) {
        for (const auto note :
             engine.list<cudnnBackendNumericalNote_t>(CUDNN_ATTR_ENGINE_NUMERICAL_NOTE, CUDNN_TYPE_NUMERICAL_NOTE)) {
            if (const auto name = inexact.find(note); name != inexact.end()) {
                found.insert(name->second);
            }
        }
        const bool has_tiles =
            std::ranges::any_of(found, [](const auto& name) { return name.starts_with("Winograd"); });
        EXPECT_EQ(winograd_points(engine) > 0, has_tiles) << choice.text();
    }
    return found;
}

// cuDNN 9.19 proposes Winograd for an A100, and neither that nor FFT for an H200.
TEST(EngineLimits, leave_no_engine_that_rounds_float32_or_transforms_it) {
    std::set<std::string> met;
    for (const DescribedGpu& gpu : {DescribedGpu::a100(), DescribedGpu::h200()}) {
        for (const Direction direction : {Direction::forward, Direction::backward_data, Direction::backward_weights}) {
            ConvProblem problem = small_problem();
            problem.image = problem.kernels = CUDNN_DATA_FLOAT;
            problem.direction = direction;
            const ConvGraph graph(problem, gpu);
            for (const EngineChoice& choice : propose(graph.graph(), gpu, {}, CUDNN_HEUR_MODE_A, 100)) {
                met.merge(inexact_notes(graph.graph(), gpu, choice));
            }
            const auto exact = propose(graph.graph(), gpu, {.exact = true}, CUDNN_HEUR_MODE_A, 100);
            EXPECT_FALSE(exact.empty()) << gpu.name() << ", " << describe(problem);
            for (const EngineChoice& choice : exact) {
                EXPECT_EQ(inexact_notes(graph.graph(), gpu, choice), std::set<std::string>())
                    << gpu.name() << ", " << describe(problem) << ", " << choice.text();
            }
        }
    }
    EXPECT_TRUE(met.contains("tensor core"));
    EXPECT_TRUE(met.contains("Winograd"));
}

TEST(ConvProblem, is_described_by_all_that_a_choice_depends_on) {
    const ConvProblem same = small_problem();
    std::set<std::string> texts = {describe(same)};
    const auto expect_other = [&](const auto& change) {
        ConvProblem problem = small_problem();
        change(problem);
        EXPECT_TRUE(texts.insert(describe(problem)).second) << describe(problem);
    };
    expect_other([](ConvProblem& p) { p.direction = Direction::backward_data; });
    expect_other([](ConvProblem& p) { p.direction = Direction::backward_weights; });
    expect_other([](ConvProblem& p) { p.image = CUDNN_DATA_HALF; });
    expect_other([](ConvProblem& p) { p.kernels = CUDNN_DATA_FLOAT; });
    expect_other([](ConvProblem& p) { p.batch = 5; });
    expect_other([](ConvProblem& p) { p.channels = 128; });
    expect_other([](ConvProblem& p) { p.filters = 128; });
    expect_other([](ConvProblem& p) { p.groups = 2; });
    for (std::size_t axis = 0; axis < 2; ++axis) {
        expect_other([=](ConvProblem& p) { p.in[axis] = 33; });
        expect_other([=](ConvProblem& p) { p.out[axis] = 31; });
        expect_other([=](ConvProblem& p) { p.taps[axis] = 5; });
        expect_other([=](ConvProblem& p) { p.stride[axis] = 2; });
        expect_other([=](ConvProblem& p) { p.dilation[axis] = 2; });
        expect_other([=](ConvProblem& p) { p.before[axis] = 0; });
        expect_other([=](ConvProblem& p) { p.after[axis] = 0; });
    }
    expect_other([](ConvProblem& p) { p.bias = true; });
    expect_other([](ConvProblem& p) { p.relu = true; });
    expect_other([](ConvProblem& p) { p.sums = true; });
    expect_other([](ConvProblem& p) { p.add = true; });
}

}  // namespace
}  // namespace sluice::cudnn
