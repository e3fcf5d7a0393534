// The time of a training, step by step.
#include "run/train/step_account.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace sluice::test {
namespace {

class StepAccountTest : public testing::Test {
protected:
    static void sleep() { std::this_thread::sleep_for(std::chrono::milliseconds(5)); }

    run::StepAccount account_{config::PipelineSpec{}, ".", [] { return run::ProfileWindows::MemoryPoint{}; }};
};

TEST_F(StepAccountTest, a_step_lasts_from_the_end_of_the_one_before) {
    account_.add(run::Phase::start);
    const double began = account_.clock().taken_at();
    account_.clock().enter(profile::Stage::forward);
    sleep();
    account_.clock().enter(profile::Stage::other);
    sleep();
    const profile::StageSeconds seconds = account_.end_step(1, {});
    EXPECT_DOUBLE_EQ(seconds.total(), account_.clock().taken_at() - began);
    EXPECT_GE(seconds[profile::Stage::forward], 0.005);
    EXPECT_GE(seconds[profile::Stage::other], 0.005);
    EXPECT_EQ(seconds[profile::Stage::backward], 0.0);
}

TEST_F(StepAccountTest, an_evaluation_between_two_steps_belongs_to_neither) {
    account_.add(run::Phase::start);
    {
        const run::StepAccount::PhaseScope evaluation(account_, run::Phase::evaluation);
        sleep();
    }
    const double step = account_.end_step(1, {}).total();
    EXPECT_GE(account_.run().of(run::Phase::evaluation).total(), 0.005);
    EXPECT_LT(step, 0.005);
}

TEST_F(StepAccountTest, a_wait_for_a_device_is_divided_as_the_device_says) {
    account_.add(run::Phase::start);
    account_.clock().enter(profile::Stage::device);
    sleep();
    account_.clock().enter(profile::Stage::other);
    profile::StageSeconds on_device;
    on_device[profile::Stage::forward] = 1.0;
    on_device[profile::Stage::backward] = 3.0;
    const profile::StageSeconds seconds = account_.end_step(1, on_device);
    EXPECT_EQ(seconds[profile::Stage::device], 0.0);
    EXPECT_GE(seconds[profile::Stage::forward], 0.00125);
    EXPECT_DOUBLE_EQ(seconds[profile::Stage::backward], 3.0 * seconds[profile::Stage::forward]);
}

TEST_F(StepAccountTest, a_wait_for_a_device_without_a_clock_belongs_to_no_stage) {
    account_.add(run::Phase::start);
    account_.clock().enter(profile::Stage::device);
    sleep();
    const profile::StageSeconds seconds = account_.end_step(1, {});
    EXPECT_EQ(seconds[profile::Stage::device], 0.0);
    EXPECT_GE(seconds[profile::Stage::other], 0.005);
}

TEST_F(StepAccountTest, says_what_its_clock_costs) {
    account_.add(run::Phase::start);
    sleep();
    account_.clock().enter(profile::Stage::forward);
    account_.clock().enter(profile::Stage::other);
    static_cast<void>(account_.end_step(1, {}));
    EXPECT_NE(account_.clock_cost().find("the clock was read 2 times a step, "), std::string::npos)
        << account_.clock_cost();
}

}  // namespace
}  // namespace sluice::test
