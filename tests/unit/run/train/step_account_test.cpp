// The time of a training, step by step.
#include "run/train/step_account.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "base/clock.hpp"

namespace sluice::test {
namespace {

class StepAccountTest : public testing::Test {
protected:
    static constexpr double kBehind = 1e4;  // seconds by which the device's clock is behind the host's

    // Adds a time in which the device is busy, from `begin`, as now(). 3/4 of the step is backward.
    static void add_busy(double begin, double seconds, profile::DeviceStep& step) {
        step.enqueued = step.is_empty() ? begin : step.enqueued;
        step.busy.at(step.busy_count++) = {begin - kBehind, begin + seconds - kBehind};
        step.seconds[profile::Stage::forward] += 0.25 * seconds;
        step.seconds[profile::Stage::backward] += 0.75 * seconds;
    }
    static profile::DeviceStep device_step(double seconds) {
        profile::DeviceStep step;
        add_busy(now(), seconds, step);
        return step;
    }
    // Sleeps until a while after the step has ended.
    static void wait_for(const profile::DeviceStep& step) {
        while (now() < step.busy.at(step.busy_count - 1).end + kBehind + 0.001) {
            sleep();
        }
    }
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

// The loop uploads before and while the device computes. It waits for longer than that.
TEST_F(StepAccountTest, a_step_of_a_device_ends_on_the_device) {
    account_.add(run::Phase::start);
    account_.clock().keep_history();
    const double began = account_.clock().taken_at();
    account_.clock().enter(profile::Stage::upload);
    sleep();
    const profile::DeviceStep step = device_step(0.050);
    sleep();
    account_.clock().enter(profile::Stage::device);
    wait_for(step);
    account_.clock().enter(profile::Stage::other);
    const profile::StageSeconds seconds = account_.end_step(1, step);
    EXPECT_EQ(seconds[profile::Stage::device], 0.0);
    EXPECT_NEAR(seconds[profile::Stage::forward], 0.0125, 1e-4);
    EXPECT_NEAR(seconds[profile::Stage::backward], 0.0375, 1e-4);
    EXPECT_NEAR(account_.clock().taken_at(), step.enqueued + 0.050, 1e-4);
    EXPECT_NEAR(seconds.total(), account_.clock().taken_at() - began, 1e-9);
    EXPECT_GE(seconds[profile::Stage::upload], 0.005);
    EXPECT_LE(seconds[profile::Stage::upload], step.enqueued - began + 1e-4);
    account_.add(run::Phase::steps);  // what the loop did since then
    EXPECT_NEAR(account_.run().of(run::Phase::steps).total(), account_.clock().taken_at() - began, 1e-9);
    EXPECT_EQ(account_.run().of(run::Phase::steps)[profile::Stage::device], 0.0);
}

// A loop that is late reads and puts the next step on the device before it takes the result.
TEST_F(StepAccountTest, work_of_the_loop_beside_a_device_is_no_part_of_its_steps) {
    account_.add(run::Phase::start);
    account_.clock().keep_history();
    const profile::DeviceStep first = device_step(0.020);
    account_.clock().enter(profile::Stage::read);
    wait_for(first);
    sleep();
    const profile::DeviceStep second = device_step(0.020);
    const profile::StageSeconds of_first = account_.end_step(1, first);
    EXPECT_NEAR(of_first[profile::Stage::forward] + of_first[profile::Stage::backward], 0.020, 1e-4);
    EXPECT_EQ(of_first[profile::Stage::read], 0.0);
    wait_for(second);
    const profile::StageSeconds of_second = account_.end_step(2, second);
    EXPECT_GE(of_second[profile::Stage::read], 0.005);  // the device waited for it
    EXPECT_NEAR(of_second.total() - of_second[profile::Stage::read], 0.020, 1e-4);
}

TEST_F(StepAccountTest, a_device_that_waits_between_micro_batches_waits_for_the_loop) {
    account_.add(run::Phase::start);
    account_.clock().keep_history();
    account_.clock().enter(profile::Stage::read);
    profile::DeviceStep step = device_step(0.010);
    wait_for(step);
    add_busy(now(), 0.010, step);
    wait_for(step);
    const profile::StageSeconds seconds = account_.end_step(1, step);
    EXPECT_NEAR(seconds[profile::Stage::forward], 0.005, 1e-4);
    EXPECT_NEAR(seconds[profile::Stage::backward], 0.015, 1e-4);
    EXPECT_GE(seconds[profile::Stage::read], 0.001);
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
