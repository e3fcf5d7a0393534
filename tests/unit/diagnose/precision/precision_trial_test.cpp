// When a trial of few steps may call a policy faster.
#include <gtest/gtest.h>

#include "diagnose/precision/precision_trial.hpp"

namespace sluice::test {
namespace {

using diagnose::speed_of;
using Times = std::vector<double>;

TEST(DiagnoseSpeed, of_steps_that_all_agree_is_reported) {
    const diagnose::TrialSpeed speed = speed_of(Times(5, 3.0), Times(5, 2.0));
    EXPECT_EQ(speed.is_faster(), true);
    EXPECT_EQ(speed.ratio, 1.5);
    EXPECT_EQ(speed.float32_seconds.median, 3.0);
    EXPECT_EQ(speed_of(Times(5, 2.0), Times(5, 2.0)).is_faster(), false);
    EXPECT_EQ(speed_of(Times(5, 2.0), Times(5, 3.0)).is_faster(), false);
}

TEST(DiagnoseSpeed, of_four_steps_is_not_reported) {
    EXPECT_FALSE(speed_of(Times(4, 3.0), Times(4, 2.0)).is_faster().has_value());
    EXPECT_FALSE(speed_of({}, {}).is_faster().has_value());
}

// The medians alone would give a ratio of 1.5.
TEST(DiagnoseSpeed, is_a_gain_only_if_three_steps_of_four_show_it) {
    const diagnose::TrialSpeed speed = speed_of(Times{3.0, 3.0, 3.0, 3.0, 3.0}, Times{2.0, 2.0, 2.0, 4.0, 4.0});
    EXPECT_EQ(speed.ratio, 1.5);
    EXPECT_EQ(speed.is_faster(), false);
}

TEST(DiagnoseSpeed, compares_step_by_step) {
    // The machine gets slower, but for both policies.
    const diagnose::TrialSpeed speed = speed_of(Times{1.2, 2.4, 4.8, 9.6, 19.2}, Times{1.0, 2.0, 4.0, 8.0, 16.0});
    EXPECT_EQ(speed.is_faster(), true);
    EXPECT_NEAR(speed.ratio, 1.2, 1e-12);
}

}  // namespace
}  // namespace sluice::test
