#include "history/step_split.hpp"

#include <gtest/gtest.h>

namespace sluice::history {
namespace {

RunHistory spent(std::vector<std::pair<std::string, double>> seconds) {
    RunHistory history;
    history.add({.kind = EventKind::step, .step = 1, .scalars = std::move(seconds)});
    return history;
}

TEST(StepSplit, adds_stages_to_parts) {
    const auto parts =
        split_steps(spent({{"read_seconds", 1.0}, {"preprocess_seconds", 1.0}, {"forward_seconds", 2.0}}));
    ASSERT_EQ(parts.size(), 7U);
    EXPECT_EQ(parts[0].name, "input");
    EXPECT_DOUBLE_EQ(parts[0].seconds, 2.0);
    EXPECT_DOUBLE_EQ(parts[0].share, 0.5);
    EXPECT_EQ(limit_of(parts, ""), "waits for input 50 %");
    EXPECT_EQ(limit_of(parts, "decode"), "waits for input ('decode') 50 %");
}

TEST(StepSplit, of_a_run_that_computes_says_so) {
    EXPECT_EQ(limit_of(split_steps(spent({{"backward_seconds", 0.93}, {"exchange_seconds", 0.07}})), "decode"),
              "computes 93 %");
    EXPECT_EQ(limit_of(split_steps(spent({{"backward_seconds", 0.8}, {"exchange_seconds", 0.2}})), ""),
              "exchanges with other replicas 20 %");
}

TEST(StepSplit, of_no_steps_is_empty) {
    EXPECT_TRUE(split_steps(RunHistory()).empty());
    EXPECT_EQ(limit_of({}, "decode"), "");
}

TEST(StepSplit, verdict_names_the_stage_that_most_steps_waited_for) {
    RunHistory history;
    for (int step = 1; step <= 5; ++step) {
        history.add({.kind = EventKind::step,
                     .step = step,
                     .text = step == 1   ? ""
                             : step == 2 ? "read"
                                         : "decode",
                     .scalars = {{"read_seconds", 0.41}, {"forward_seconds", 0.59}}});
    }
    EXPECT_EQ(history.awaited_stage(), "decode");
    const std::string verdict = verdict_of(history, "runs/my run");
    EXPECT_TRUE(verdict.starts_with("It is input-bound: a step waits for input ('decode') 41 % of its time; `"))
        << verdict;
    EXPECT_NE(verdict.find("diagnose 'runs/my run'"), std::string::npos) << verdict;
}

TEST(StepSplit, verdict_names_evaluations_if_they_take_more_than_the_steps_wait) {
    RunHistory history = spent({{"read_seconds", 0.2}, {"forward_seconds", 0.8}});
    EXPECT_TRUE(verdict_of(history, "run").starts_with("It is input-bound")) << verdict_of(history, "run");
    history.add({.kind = EventKind::run_begin});
    history.add({.kind = EventKind::run_end,
                 .text = "finished",
                 .scalars = {{"steps_seconds", 6.0}, {"evaluation_seconds", 4.0}}});
    EXPECT_TRUE(verdict_of(history, "run").starts_with("It is bound by evaluation, which took 40 % of the time"))
        << verdict_of(history, "run");
}

TEST(StepSplit, verdict_is_incomplete_without_stages) {
    EXPECT_TRUE(verdict_of(RunHistory(), "run").starts_with("INCOMPLETE: "));
}

}  // namespace
}  // namespace sluice::history
