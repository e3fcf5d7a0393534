// Results of training steps, and the loss scale after each of them.
#include "run/replica/step_reports.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.hpp"
#include "unit/run/replica/replica_bench.hpp"

namespace sluice::test {
namespace {

TEST(RunStepReports, of_an_unscaled_loss_have_loss_and_rate_alone) {
    ReplicaBench bench;
    const run::StepResult result = bench.train(1);
    EXPECT_TRUE(std::isfinite(result.loss.mean()));
    EXPECT_GT(result.loss.mean(), 0.0);
    EXPECT_NEAR(result.rate, 1e-3, 1e-9);
    EXPECT_EQ(result.norm, 0.0);
    EXPECT_FALSE(result.skipped);
    EXPECT_EQ(result.scale.value, 0.0);
}

TEST(RunStepReports, have_the_norm_if_gradients_are_clipped) {
    EXPECT_GT(ReplicaBench("optimizer.clip_norm=1.0").train(1).norm, 0.0);
}

TEST(RunStepReports, have_the_loss_scale_of_the_next_step) {
    ReplicaBench bench("precision={ use = \"mixed_float16\", scale = 64, growth_interval = 2 }");
    const run::StepResult first = bench.train(1);
    EXPECT_EQ(first.scale.value, 64.0);
    EXPECT_EQ(first.scale.good_steps, 1U);
    EXPECT_FALSE(first.gives_up);
    const run::StepResult second = bench.train(2);
    EXPECT_EQ(second.scale.value, 128.0);
    EXPECT_EQ(second.scale.good_steps, 0U);
}

TEST(RunStepReports, resume_from_a_loss_scale) {
    ReplicaBench bench("precision={ use = \"mixed_float16\", scale = 64, growth_interval = 2 }");
    bench.replica.training().resume_from({.value = 16.0, .good_steps = 1, .skips_in_row = 0, .skipped = 3}, 5);
    const run::StepResult result = bench.train(6);
    EXPECT_EQ(result.scale.value, 32.0);
    EXPECT_EQ(result.scale.skipped, 3U);
}

TEST(RunStepReports, give_up_after_too_many_skipped_steps) {
    ReplicaBench bench(kTooLargeScale);
    const run::StepResult skipped = bench.train(1);
    EXPECT_TRUE(skipped.skipped);
    EXPECT_TRUE(skipped.gives_up);
    EXPECT_EQ(skipped.scale.skips_in_row, 1U);
    try {
        bench.train(2);
        FAIL() << "a second step was made";
    } catch (const Error& error) {
        EXPECT_EQ(error.exit(), Exit::diverged);
        EXPECT_NE(std::string(error.what()).find("the last step was skipped"), std::string::npos) << error.what();
    }
}

}  // namespace
}  // namespace sluice::test
