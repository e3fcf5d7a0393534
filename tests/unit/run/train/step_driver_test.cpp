// Steps of a replica on the CPU, and the timeouts that follow from their times.
#include "run/train/step_driver.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "run/upload/micro_batches.hpp"
#include "unit/run/replica/replica_bench.hpp"

namespace sluice::test {
namespace {

constexpr double kTiny = 1e-9;  // seconds; any step takes longer

class RunStepDriver : public testing::Test {
protected:
    RunStepDriver() { run::copy_samples(two_, 0, 1, one_); }

    run::StepResult train(const data::Batch& batch) {
        driver_.prepare(batch, 0);
        driver_.compute(batch, {.step = ++step_, .rates = run::constant_rate(1e-3)});
        driver_.update();
        return driver_.finish_step();
    }

    PlanBench bench_;
    registry::Optimizer optimizer_ = run::open_optimizer(bench_.spec, bench_.registry, "cpu");
    run::ReplicaGroup replicas_{
        std::make_unique<run::Replica>(bench_.spec, bench_.tools, &optimizer_, bench_.fields, 2)};
    run::StepDriver driver_{bench_.spec, replicas_};
    data::Batch two_ = fixed_batch(bench_);
    data::Batch one_;
    std::uint64_t step_ = 0;
};

TEST_F(RunStepDriver, trains_batches_of_any_size) {
    for (const data::Batch* const batch : {&two_, &one_, &two_}) {
        EXPECT_TRUE(std::isfinite(train(*batch).loss.mean()));
    }
    EXPECT_EQ(driver_.steps_ahead(), 0U);
}

TEST_F(RunStepDriver, has_no_timeout_without_a_deadline) {
    bench_.spec.sharing.deadline = 0.0;
    train(two_);
    EXPECT_EQ(driver_.timeout(), 0.0);
}

TEST_F(RunStepDriver, waits_for_the_deadline_or_a_multiple_of_the_longest_step) {
    bench_.spec.sharing.deadline = 1e6;
    train(two_);
    EXPECT_EQ(driver_.timeout(), 1e6);
    bench_.spec.sharing.deadline = kTiny;
    EXPECT_GT(driver_.timeout(), kTiny);
}

TEST_F(RunStepDriver, steps_of_new_shapes_count_only_before_the_first_usual_one) {
    bench_.spec.sharing.deadline = kTiny;
    train(two_);
    EXPECT_GT(driver_.timeout(), kTiny);
    train(two_);
    const double usual = driver_.timeout();
    train(one_);
    EXPECT_EQ(driver_.timeout(), usual);
    train(one_);
    EXPECT_GE(driver_.timeout(), usual);
}

}  // namespace
}  // namespace sluice::test
