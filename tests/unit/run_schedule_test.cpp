#include "run/schedule.hpp"

#include <gtest/gtest.h>

namespace sluice::run {
namespace {

TEST(Schedule, constant_stays) {
    const Schedule schedule({.use = "constant"}, 0.1, 100, 10);
    EXPECT_DOUBLE_EQ(schedule.rate(0), 0.1);
    EXPECT_DOUBLE_EQ(schedule.rate(99), 0.1);
}

TEST(Schedule, warmup_rises_to_the_rate) {
    const Schedule schedule({.use = "constant", .warmup = 0.1}, 0.1, 100, 10);
    EXPECT_DOUBLE_EQ(schedule.rate(0), 0.01);
    EXPECT_DOUBLE_EQ(schedule.rate(9), 0.1);
    EXPECT_DOUBLE_EQ(schedule.rate(10), 0.1);
}

TEST(Schedule, cosine_passes_its_middle_and_its_end) {
    const Schedule schedule({.use = "cosine", .final_share = 0.2}, 1.0, 100, 10);
    EXPECT_DOUBLE_EQ(schedule.rate(0), 1.0);
    EXPECT_NEAR(schedule.rate(50), 0.6, 1e-12);
    EXPECT_NEAR(schedule.rate(100), 0.2, 1e-12);
    EXPECT_NEAR(schedule.rate(1000), 0.2, 1e-12);
}

TEST(Schedule, linear_falls_evenly) {
    const Schedule schedule({.use = "linear", .final_share = 0.0}, 1.0, 100, 10);
    EXPECT_NEAR(schedule.rate(25), 0.75, 1e-12);
}

TEST(Schedule, step_falls_by_epochs) {
    const Schedule schedule({.use = "step", .step_factor = 0.1, .step_epochs = 2}, 1.0, 100, 10);
    EXPECT_DOUBLE_EQ(schedule.rate(19), 1.0);
    EXPECT_NEAR(schedule.rate(20), 0.1, 1e-12);
    EXPECT_NEAR(schedule.rate(40), 0.01, 1e-12);
}

}  // namespace
}  // namespace sluice::run
