// Steps whose results are not known yet.
#include "run/train/steps_in_flight.hpp"

#include <gtest/gtest.h>

namespace sluice::test {
namespace {

run::StepInFlight step_of(std::int64_t number, std::uint64_t batch_count, double began) {
    return {.epoch = 1, .step = number, .batch_count = batch_count, .began = began, .data_seconds = 0.0, .samples = 0};
}

TEST(RunStepsInFlight, overlapping_steps_are_timed_each_by_itself) {
    run::StepsInFlight steps;
    steps.add(step_of(1, 1, 10.0));
    steps.add(step_of(2, 1, 11.0));
    steps.add(step_of(3, 1, 20.0));
    EXPECT_EQ(steps.count(), 3U);
    EXPECT_DOUBLE_EQ(steps.note_end(steps.take_oldest(), 13.0), 3.0);
    EXPECT_DOUBLE_EQ(steps.note_end(steps.take_oldest(), 15.0), 2.0);  // it began before the first step ended
    EXPECT_DOUBLE_EQ(steps.note_end(steps.take_oldest(), 21.0), 1.0);  // the devices were idle before it
    EXPECT_EQ(steps.count(), 0U);
}

TEST(RunStepsInFlight, a_run_that_gives_them_up_resumes_before_them) {
    run::StepsInFlight steps;
    steps.add(step_of(6, 3, 0.0));
    steps.add(step_of(7, 2, 0.0));
    run::Progress progress;
    progress.step = 7;
    progress.batch = 9;
    const run::Progress before = steps.position_before(progress);
    EXPECT_EQ(before.step, 5U);
    EXPECT_EQ(before.batch, 4U);
}

}  // namespace
}  // namespace sluice::test
