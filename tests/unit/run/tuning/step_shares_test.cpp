// The parts of a step's seconds, with invented times of replicas.
#include "run/tuning/step_shares.hpp"

#include <gtest/gtest.h>

namespace sluice::run {
namespace {

// Splits the times of replicas, which are the same in each step.
std::vector<StepShares> shared_out(std::span<const StepTimes> replicas) {
    std::vector<ReplicaTimes> all;
    for (const StepTimes& step : replicas) {
        all.emplace_back().fill(step);
    }
    std::vector<StepShares> shares = split_step_times(all);
    for (StepShares& one : shares) {
        EXPECT_LE(one.data + one.others + one.exchange + one.compute, one.whole + 1e-9);
        for (double* const part : {&one.whole, &one.data, &one.others, &one.exchange, &one.compute}) {
            *part /= kSharedSteps;
        }
    }
    return shares;
}

TEST(StepShares, are_of_who_comes_first_and_of_who_comes_last) {
    const std::vector<StepShares> shares = shared_out(std::vector<StepTimes>{
        {.whole = 1.0, .data = 0.0, .compute = 0.5, .waited = 0.6}, {.whole = 1.0, .compute = 0.5, .waited = 0.2}});
    EXPECT_NEAR(shares[0].others, 0.4, 1e-9);
    EXPECT_NEAR(shares[0].exchange, 0.2, 1e-9);
    EXPECT_NEAR(shares[0].compute, 0.4, 1e-9) << "the replica cannot have computed longer";
    EXPECT_NEAR(shares[1].others, 0.0, 1e-9);
    EXPECT_NEAR(shares[1].exchange, 0.2, 1e-9);
    EXPECT_NEAR(shares[1].compute, 0.5, 1e-9);
}

TEST(StepShares, of_input_that_another_waits_for_are_of_input) {
    for (const StepShares& one :
         shared_out(std::vector<StepTimes>{{.whole = 1.0, .data = 0.1, .compute = 0.1, .waited = 0.8},
                                           {.whole = 1.0, .data = 0.8, .compute = 0.1, .waited = 0.1}})) {
        EXPECT_NEAR(one.data, 0.8, 1e-9);
        EXPECT_NEAR(one.others, 0.0, 1e-9);
        EXPECT_NEAR(one.exchange, 0.1, 1e-9);
    }
}

// The first replica waits 0.5 s longer than the exchange takes. The input of the second one explains 0.2 s of it.
TEST(StepShares, of_a_slow_replica_are_not_of_its_input) {
    const std::vector<StepShares> shares =
        shared_out(std::vector<StepTimes>{{.whole = 1.0, .data = 0.0, .compute = 0.7, .waited = 0.6},
                                          {.whole = 1.0, .data = 0.2, .compute = 0.7, .waited = 0.1}});
    EXPECT_NEAR(shares[0].data, 0.2, 1e-9);
    EXPECT_NEAR(shares[0].others, 0.3, 1e-9);
}

// On GPUs, and if layers join the replicas, no wait at the end is known.
TEST(StepShares, of_input_are_seen_if_nobody_waits_at_the_end) {
    const std::vector<StepShares> shares = shared_out(std::vector<StepTimes>{
        {.whole = 1.0, .data = 0.0, .compute = 0.3}, {.whole = 1.0, .data = 0.6, .compute = 0.3}});
    EXPECT_NEAR(shares[0].data, 0.6, 1e-9);
    EXPECT_NEAR(shares[1].data, 0.6, 1e-9);
    EXPECT_NEAR(shares[0].compute, 0.3, 1e-9);
}

// A part that was measured by itself may have taken longer than it takes in a step.
TEST(StepShares, are_no_more_than_the_step) {
    const std::vector<StepShares> shares =
        shared_out(std::vector<StepTimes>{{.whole = 1.0, .data = 1.5, .compute = 3.0, .waited = 2.0},
                                          {.whole = 1.0, .data = 0.0, .compute = 3.0, .waited = 1.0},
                                          {.whole = 1.0, .data = 0.3, .compute = 0.0, .waited = 0.9}});
    EXPECT_NEAR(shares[0].data, 1.0, 1e-9);
    EXPECT_NEAR(shares[1].exchange + shares[1].data, 1.0, 1e-9);
}

}  // namespace
}  // namespace sluice::run
