// Trainings by turns: how the work of steps is shared among turns, and how sure a ratio of two trainings is.
#include "diagnose/evidence/turns.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace sluice::diagnose {
namespace {

run::StepLogEntry step(std::int64_t number, double end, double seconds) {
    run::StepLogEntry entry{.end = end, .step = number};
    entry.seconds.front() = seconds;
    return entry;
}

std::vector<TurnWork> turns_of(const std::vector<Turn>& turns, const std::vector<run::StepLogEntry>& entries) {
    return work_of(turns, entries).turns;
}

// Ten turns of a second.
Work ten_turns(double steps) {
    return {.turns = std::vector<TurnWork>(10, {.seconds = 1.0, .steps = steps, .rare = {}})};
}

TEST(DiagnoseTurns, share_a_step_that_a_pause_interrupts) {
    const std::vector<Turn> turns{{.begin = 0.0, .end = 2.0}, {.begin = 10.0, .end = 13.0}};
    // The second step works for 1 s in the first turn and for 3 s in the second.
    const std::vector<TurnWork> work = turns_of(turns, {step(1, 1.0, 1.0), step(2, 13.0, 12.0)});
    ASSERT_EQ(work.size(), 2U);
    EXPECT_EQ(work[0].seconds, 2.0);
    EXPECT_EQ(work[0].steps, 1.25);
    EXPECT_EQ(work[1].seconds, 3.0);
    EXPECT_EQ(work[1].steps, 0.75);
}

TEST(DiagnoseTurns, count_an_evaluation_for_the_step_after_it) {
    const std::vector<Turn> turns{{.begin = 0.0, .end = 4.0}, {.begin = 4.0, .end = 8.0}};
    run::StepLogEntry evaluation = step(0, 5.0, 4.0);
    const std::vector<TurnWork> work = turns_of(turns, {step(1, 1.0, 1.0), evaluation, step(2, 7.0, 2.0)});
    EXPECT_EQ(work[0].steps, 1.0 + 3.0 / 6.0);
    EXPECT_EQ(work[1].steps, 3.0 / 6.0);
}

// Two evaluations of 4 s, one of which two turns share, and the third in the last turn: one for each two steps.
TEST(DiagnoseTurns, count_evaluations_by_themselves_if_there_are_some) {
    const auto evaluation = [](double end) {
        run::StepLogEntry entry = step(0, end, 4.0);
        entry.phase = static_cast<std::int64_t>(run::Phase::evaluation);
        return entry;
    };
    const std::vector<Turn> turns{
        {.begin = 0.0, .end = 5.0}, {.begin = 5.0, .end = 14.0}, {.begin = 14.0, .end = 19.0}};
    const Work work =
        work_of(turns, {step(1, 1.0, 1.0), evaluation(5.0), step(2, 6.0, 1.0), step(3, 7.0, 1.0), evaluation(11.0),
                        step(4, 12.0, 1.0), step(5, 13.0, 1.0), evaluation(17.0), step(6, 18.0, 1.0)});
    EXPECT_EQ(work.rare_per_step[0], 0.5);
    EXPECT_EQ(work.rare_per_step[1], 0.0);
    EXPECT_EQ(work.turns[0].rare[0].times, 1.0);
    EXPECT_EQ(work.turns[1].rare[0].times, 1.25);
    EXPECT_EQ(work.turns[1].rare[0].seconds, 5.0);
    EXPECT_EQ(work.turns[1].seconds, 4.0);
    EXPECT_EQ(work.turns[1].steps, 4.0);
    EXPECT_EQ(work.turns[2].rare[0].times, 0.75);
    EXPECT_EQ(work.turns[2].seconds, 2.0);
}

TEST(DiagnoseTurns, ratio_is_that_of_the_time_of_a_sample) {
    const Ratio ratio = ratio_of(ten_turns(8.0), 16.0, ten_turns(10.0), 8.0);  // 128 samples a second to 80
    EXPECT_NEAR(ratio.value, 0.625, 1e-9);
    EXPECT_NEAR(ratio.gain(), 0.375, 1e-9);
    EXPECT_LT(ratio.low, ratio.value);
    EXPECT_GT(ratio.high, ratio.value);
    EXPECT_TRUE(ratio.is_sure());
    EXPECT_EQ(ratio.rounds, 10U);
}

TEST(DiagnoseTurns, ratio_leaves_out_rounds_in_which_others_take_the_cores) {
    Work work = ten_turns(10.0);
    work.turns[3].steps = 2.0;
    EXPECT_GT(ratio_of(work, 8.0, ten_turns(10.0), 8.0).value, 1.05);
    work.turns[3].others = 0.5;
    const Ratio ratio = ratio_of(work, 8.0, ten_turns(10.0), 8.0);
    EXPECT_NEAR(ratio.value, 1.0, 1e-9);
    EXPECT_EQ(ratio.rounds, 9U);
    // Another process that runs all the time is part of the machine.
    for (TurnWork& turn : work.turns) {
        turn.others = 0.5;
    }
    EXPECT_EQ(ratio_of(work, 8.0, ten_turns(10.0), 8.0).rounds, 10U);
}

TEST(DiagnoseTurns, ratio_counts_rare_work_as_often_as_it_comes) {
    Work work = ten_turns(10.0);
    for (TurnWork& turn : work.turns) {
        turn.rare[0] = {.seconds = 2.0, .times = 1.0};
    }
    work.rare_per_step[0] = 0.05;  // 0.1 s beside each step of 0.1 s
    EXPECT_NEAR(ratio_of(work, 1.0, ten_turns(10.0), 1.0).value, 2.0, 1e-9);
}

TEST(DiagnoseTurns, ratio_of_few_or_idle_turns_is_unknown) {
    const Work works = ten_turns(10.0);
    Work few = works;
    few.turns.resize(2);
    EXPECT_FALSE(ratio_of(few, 1.0, works, 1.0).is_known());
    EXPECT_FALSE(ratio_of(ten_turns(0.0), 1.0, works, 1.0).is_known());
    EXPECT_FALSE(ratio_of(works, 1.0, ten_turns(0.0), 1.0).is_known());
    EXPECT_FALSE(Ratio().is_sure());
}

TEST(DiagnoseTurns, two_ratios_to_the_same_training_relate_their_own) {
    const Ratio a{.value = 0.2, .low = 0.19, .high = 0.2105, .rounds = 9};
    const Ratio b{.value = 0.4, .low = 0.4, .high = 0.4, .rounds = 12};
    const Ratio both = quotient(a, b);
    EXPECT_NEAR(both.value, 0.5, 1e-12);
    EXPECT_NEAR(both.low, 0.475, 1e-3);
    EXPECT_EQ(both.rounds, 9U);
    EXPECT_FALSE(quotient(a, Ratio()).is_known());
}

TEST(DiagnoseTurns, two_measurements_know_a_ratio_better_than_one_but_never_exactly) {
    const Ratio wide{.value = 0.5, .low = 0.4, .high = 0.625, .rounds = 9};
    const Ratio both = pooled(wide, wide);
    EXPECT_NEAR(both.value, 0.5, 1e-12);
    EXPECT_GT(both.low, wide.low);
    EXPECT_LT(both.high, wide.high);
    const Ratio exact{.value = 0.5, .low = 0.4999, .high = 0.5001, .rounds = 9};
    EXPECT_GT(pooled(exact, exact).high, 0.505);  // both have the same process as their baseline
    EXPECT_EQ(pooled(wide, Ratio()).value, wide.value);
    const Ratio other{.value = 0.7, .low = 0.69986, .high = 0.70014, .rounds = 9};
    EXPECT_LT(pooled(exact, other).low, 0.52);  // they disagree, so that nothing is sure
    EXPECT_GT(pooled(exact, other).high, 0.66);
}

// The speed of the machine wanders by tens of percent, alike for neighbouring turns.
TEST(DiagnoseTurns, interval_holds_the_true_ratio_although_the_machine_wanders) {
    constexpr double kTrue = 0.8;
    constexpr int kTrials = 400;
    std::mt19937 random(3);
    std::normal_distribution<double> normal;
    int held = 0;
    for (int trial = 0; trial < kTrials; ++trial) {
        Work a;
        Work b;
        double speed = 0.0;
        for (int round = 0; round < 20; ++round) {
            speed = 0.9 * speed + 0.1 * normal(random);
            const double steps = 10.0 * std::exp(speed);
            a.turns.push_back({.seconds = 1.0, .steps = steps / kTrue * std::exp(0.05 * normal(random)), .rare = {}});
            b.turns.push_back({.seconds = 1.0, .steps = steps * std::exp(0.05 * normal(random)), .rare = {}});
        }
        const Ratio ratio = ratio_of(a, 1.0, b, 1.0);
        held += ratio.low <= kTrue && kTrue <= ratio.high ? 1 : 0;
    }
    EXPECT_GE(held, kTrials * 93 / 100);
    EXPECT_LT(held, kTrials);  // else the interval would be needlessly wide
}

}  // namespace
}  // namespace sluice::diagnose
