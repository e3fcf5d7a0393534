// Steps whose results are not known yet.
#include "run/train/steps_in_flight.hpp"

#include <gtest/gtest.h>

namespace sluice::test {
namespace {

run::StepInFlight step_of(std::int64_t number, std::uint64_t batch_count) {
    return {.epoch = 1, .step = number, .batch_count = batch_count, .samples = 0};
}

TEST(RunStepsInFlight, the_oldest_step_is_taken_first) {
    run::StepsInFlight steps;
    steps.add(step_of(1, 1));
    steps.add(step_of(2, 1));
    EXPECT_EQ(steps.count(), 2U);
    EXPECT_EQ(steps.take_oldest().step, 1);
    EXPECT_EQ(steps.take_oldest().step, 2);
    EXPECT_EQ(steps.count(), 0U);
}

TEST(RunStepsInFlight, a_run_that_gives_them_up_resumes_before_them) {
    run::StepsInFlight steps;
    steps.add(step_of(6, 3));
    steps.add(step_of(7, 2));
    run::Progress progress;
    progress.step = 7;
    progress.batch = 9;
    const run::Progress before = steps.position_before(progress);
    EXPECT_EQ(before.step, 5U);
    EXPECT_EQ(before.batch, 4U);
}

}  // namespace
}  // namespace sluice::test
