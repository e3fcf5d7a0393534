// An observer that takes a noticeable part of a run's time is named, with what it costs.
#include "observe/observer_cost.hpp"

#include <gtest/gtest.h>

namespace sluice::observe {
namespace {

// 1000 steps of 10 ms on 2 cores, of which one computes.
constexpr RunPace::Figures kRun{.steps = 1000, .seconds = 10.0, .cpu_seconds = 10.0, .step_seconds = 0.01};

RunPace::Figures busy_run(double cpu_seconds) {
    RunPace::Figures run = kRun;
    run.cpu_seconds = cpu_seconds;
    return run;
}

ObserverCost cost_of(double seconds_per_step, double cpu_share) {
    return {.name = "wandb",
            .holds = false,
            .steps = 1000,
            .busy_seconds = 1000 * seconds_per_step,
            .cpu_seconds = 1000 * seconds_per_step * cpu_share};
}

TEST(ObserverCost, up_to_five_percent_is_not_reported) {
    EXPECT_FALSE(report_cost(cost_of(0.0005, 1.0), kRun, 2).has_value());
    EXPECT_TRUE(report_cost(cost_of(0.0006, 1.0), kRun, 2).has_value());
}

// The others are evaluations and checkpoints.
TEST(ObserverCost, the_share_is_of_the_time_in_steps) {
    RunPace::Figures run = kRun;
    run.seconds = 100.0;
    const auto report = report_cost(cost_of(0.002, 1.0), run, 2);
    ASSERT_TRUE(report.has_value());
    EXPECT_NE(report->text.find("2 ms per step, which is 20 % of a step's time (10 ms)"), std::string::npos)
        << report->text;
}

TEST(ObserverCost, twenty_steps_and_a_second_are_enough) {
    RunPace::Figures run = kRun;
    run.steps = 20;
    run.seconds = 1.0;
    EXPECT_TRUE(report_cost(cost_of(0.005, 1.0), run, 2).has_value());
    run.steps = 19;
    EXPECT_FALSE(report_cost(cost_of(0.005, 1.0), run, 2).has_value());
    run.steps = 20;
    run.seconds = 0.9;
    EXPECT_FALSE(report_cost(cost_of(0.005, 1.0), run, 2).has_value());
}

TEST(ObserverCost, beside_idle_cores_it_costs_no_time) {
    const auto report = report_cost(cost_of(0.002, 1.0), kRun, 2);
    ASSERT_TRUE(report.has_value());
    EXPECT_FALSE(report->costs_time);
    EXPECT_EQ(
        report->text,
        "observer 'wandb' takes 2 ms per step, which is 20 % of a step's time (10 ms); it runs beside the "
        "training: it uses 0.2 of 2 cores, of which 1 were idle, so it costs the training no time, only bandwidth "
        "of the memory");
}

TEST(ObserverCost, without_idle_cores_it_takes_their_time) {
    const auto report = report_cost(cost_of(0.002, 1.0), busy_run(19.0), 2);
    ASSERT_TRUE(report.has_value());
    EXPECT_TRUE(report->costs_time);
    EXPECT_NE(report->text.find("it uses 0.2 of 2 cores, which were all busy"), std::string::npos) << report->text;
}

TEST(ObserverCost, waiting_costs_nothing_even_if_all_cores_are_busy) {
    ObserverCost cost = cost_of(0.05, 0.01);
    cost.queue_seconds = 0.1;
    const auto report = report_cost(cost, busy_run(20.0), 2);
    ASSERT_TRUE(report.has_value());
    EXPECT_FALSE(report->costs_time);
    EXPECT_NE(report->text.find("50 ms per step, which is 5 times a step's time"), std::string::npos) << report->text;
    EXPECT_NE(report->text.find("it mostly waits for files or the network, which costs the training nothing"),
              std::string::npos)
        << report->text;
}

// A thread that is neither on a core nor waits for files may wait for a core.
TEST(ObserverCost, waiting_for_a_core_is_no_waiting_for_files) {
    for (const std::optional<double> queue_seconds : {std::optional<double>(), std::optional<double>(40.0)}) {
        ObserverCost cost = cost_of(0.05, 0.01);
        cost.queue_seconds = queue_seconds;
        const auto report = report_cost(cost, busy_run(20.0), 2);
        ASSERT_TRUE(report.has_value());
        EXPECT_TRUE(report->text.ends_with("it runs beside the training: it uses 0.05 of 2 cores")) << report->text;
    }
}

TEST(ObserverCost, waits_of_the_run_are_a_cost) {
    ObserverCost cost = cost_of(0.05, 0.01);
    cost.queue_seconds = 0.0;
    cost.waits = {.flush_seconds = 6.2, .room_seconds = 0.1};
    const auto report = report_cost(cost, kRun, 2);
    ASSERT_TRUE(report.has_value());
    EXPECT_TRUE(report->costs_time);
    EXPECT_TRUE(
        report->text.ends_with("it mostly waits for files or the network; the run waited 6.2 s for it at checkpoints "
                               "and 0.1 s for room in its queue, which is 63 % of the run's time"))
        << report->text;
    for (const double cpu_share : {0.01, 1.0}) {
        cost.cpu_seconds = cpu_share * cost.busy_seconds;
        EXPECT_EQ(report_cost(cost, kRun, 8)->text.find("nothing"), std::string::npos);
        EXPECT_EQ(report_cost(cost, kRun, 8)->text.find("no time"), std::string::npos);
    }
}

TEST(ObserverCost, short_waits_are_named_but_are_no_warning) {
    ObserverCost cost = cost_of(0.002, 1.0);
    cost.waits = {.flush_seconds = 0.2, .room_seconds = 0.001};
    const auto report = report_cost(cost, kRun, 2);
    ASSERT_TRUE(report.has_value());
    EXPECT_FALSE(report->costs_time);
    EXPECT_TRUE(report->text.ends_with("the run waited 0.2 s for it at checkpoints, which is 2 % of the run's time"))
        << report->text;
}

// Its steps are fast, but other events are slow.
TEST(ObserverCost, an_observer_for_which_the_run_waited_is_reported) {
    ObserverCost cost = cost_of(0.0001, 1.0);
    cost.waits.flush_seconds = 1.0;
    ASSERT_TRUE(report_cost(cost, kRun, 2).has_value());
    EXPECT_TRUE(report_cost(cost, kRun, 2)->costs_time);
    cost.waits.flush_seconds = 0.4;
    EXPECT_FALSE(report_cost(cost, kRun, 2).has_value());
}

TEST(ObserverCost, a_held_run_waits) {
    ObserverCost cost = cost_of(0.002, 0.0);
    cost.holds = true;
    const auto report = report_cost(cost, kRun, 2);
    ASSERT_TRUE(report.has_value());
    EXPECT_TRUE(report->costs_time);
    EXPECT_NE(report->text.find("the run waits for it, because it has hold = true"), std::string::npos) << report->text;
}

// It handles few of the steps, since the others were dropped.
TEST(ObserverCost, the_time_of_a_step_is_that_of_handled_steps) {
    ObserverCost cost = cost_of(0.002, 1.0);
    cost.steps = 100;
    const auto report = report_cost(cost, kRun, 2);
    ASSERT_TRUE(report.has_value());
    EXPECT_NE(report->text.find("20 ms per step"), std::string::npos) << report->text;
}

}  // namespace
}  // namespace sluice::observe
