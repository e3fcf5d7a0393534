#include "profile/recording_cost.hpp"

#include <gtest/gtest.h>

namespace sluice::profile {
namespace {

TEST(RecordingCost, of_steps_in_turn_is_the_median_of_their_differences) {
    const RecordingCost cost = cost_in_turn({1.2, 2.2, 9.0, 1.1, 3.3}, {1.0, 2.0, 3.0, 1.0, 3.0});
    EXPECT_NEAR(cost.seconds, 0.2, 1e-12);
    EXPECT_EQ(cost.step_seconds, 2.0);
    EXPECT_EQ(cost.steps, 5);
    EXPECT_GT(cost.noise, 0.0);
}

TEST(RecordingCost, of_a_window_is_compared_with_the_steps_after_it) {
    const RecordingCost cost = cost_before({1.3, 1.3, 1.3}, {1.0, 1.0, 1.0});
    EXPECT_NEAR(cost.seconds, 0.3, 1e-12);
    EXPECT_EQ(cost.noise, 0.0);
    EXPECT_FALSE(cost.is_in_turn);
}

TEST(RecordingCost, within_the_noise_has_only_a_bound) {
    const RecordingCost cost{.seconds = -0.001, .noise = 0.01, .step_seconds = 1.0, .steps = 20};
    EXPECT_EQ(describe(cost), "costs less than 2 % of a step, 20 ms, by 20 steps with and 20 without");
}

TEST(RecordingCost, above_the_noise_has_both) {
    RecordingCost cost{.seconds = 0.05, .noise = 0.01, .step_seconds = 1.0, .steps = 20};
    EXPECT_EQ(describe(cost), "costs 5 % of a step, 50 ms, give or take 1 %, by 20 steps with and 20 without");
    cost.is_in_turn = false;
    EXPECT_EQ(describe(cost),
              "costs 5 % of a step, 50 ms, give or take 1 %, by 20 steps of the window and 20 after it");
}

}  // namespace
}  // namespace sluice::profile
