#include "run/network/thread_plan.hpp"

#include <gtest/gtest.h>

#include "unit/plan_bench.hpp"

namespace sluice::run {
namespace {

ThreadNeeds long_step(int cores) {
    return {.cores = cores, .step_seconds = 1.0, .launches = 100, .prefetched_samples = 1000, .workers = {}};
}

TEST(ThreadPlan, takes_every_core_if_it_gains) {
    for (const int cores : {1, 2, 7, 64}) {
        EXPECT_EQ(plan_threads(long_step(cores)).threads, cores);
    }
    EXPECT_EQ(plan_threads(long_step(0)).threads, 1);
}

TEST(ThreadPlan, computes_a_short_step_on_one_thread) {
    ThreadNeeds needs = long_step(4);
    needs.step_seconds = 100e-6;
    EXPECT_EQ(plan_threads(needs).threads, 1);
    needs.launches = 2;
    EXPECT_EQ(plan_threads(needs).threads, 4);
}

TEST(ThreadPlan, has_a_worker_for_each_core_that_it_can_use) {
    EXPECT_EQ(plan_threads(long_step(2)).workers, 2);
    EXPECT_EQ(plan_threads(long_step(64)).workers, 16);
    ThreadNeeds needs = long_step(8);
    needs.prefetched_samples = 3;
    EXPECT_EQ(plan_threads(needs).workers, 3);
    needs.workers = 5;
    EXPECT_EQ(plan_threads(needs).workers, 5);
    needs.workers = 0;
    EXPECT_EQ(plan_threads(needs).workers, 0);
}

TEST(ThreadPlan, estimates_from_the_graph) {
    const test::PlanBench bench;
    ThreadNeeds train{.cores = 2, .workers = {}};
    estimate_step(bench.plan(plan::Mode::train).graph, train);
    EXPECT_GT(train.step_seconds, 1e-6);
    EXPECT_LT(train.step_seconds, 1e-3);
    EXPECT_EQ(plan_threads(train).threads, 1) << "a network on pictures of 16 x 16 needs one thread";
    ThreadNeeds evaluate{.cores = 2, .workers = {}};
    estimate_step(bench.plan(plan::Mode::evaluate).graph, evaluate);
    EXPECT_LT(evaluate.step_seconds, train.step_seconds);
}

}  // namespace
}  // namespace sluice::run
