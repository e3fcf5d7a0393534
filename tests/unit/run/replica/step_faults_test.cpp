// The layer at which the numbers of a step stop being finite.
#include "run/replica/step_faults.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "base/error.hpp"
#include "unit/run/replica/replica_bench.hpp"

namespace sluice::test {
namespace {

void spoil_weights(run::Replica& replica) {
    run::Weights& weights = replica.network().weights();
    std::fill_n(weights.parameters(), weights.count(), std::numeric_limits<float>::quiet_NaN());
    replica.network().weights().mark_changed();
}

TEST(RunStepFaults, an_unscaled_loss_that_is_not_finite_names_the_first_layer) {
    ReplicaBench bench;
    bench.train(1);
    spoil_weights(bench.replica);
    try {
        bench.train(2);
        FAIL() << "the step was made";
    } catch (const Error& error) {
        EXPECT_EQ(error.exit(), Exit::diverged);
        const std::string message = error.what();
        EXPECT_TRUE(message.starts_with("the loss of step 2 is ")) << message;
        EXPECT_NE(message.find("is that of layer 'stem'"), std::string::npos) << message;
    }
}

TEST(RunStepFaults, a_scaled_loss_that_is_not_finite_skips_the_step) {
    ReplicaBench bench("precision.use=mixed_float16");
    spoil_weights(bench.replica);
    EXPECT_TRUE(bench.train(1).skipped);
    EXPECT_TRUE(bench.replica.training().faults().is_in_forward());
    const std::string place = bench.replica.training().faults().place();
    EXPECT_TRUE(place.starts_with("in the output of layer '")) << place;
}

TEST(RunStepFaults, a_gradient_that_is_not_finite_names_its_layer) {
    ReplicaBench bench(kTooLargeScale);
    EXPECT_TRUE(bench.train(1).skipped);
    EXPECT_FALSE(bench.replica.training().faults().is_in_forward());
    const std::string place = bench.replica.training().faults().place();
    EXPECT_TRUE(place.starts_with("in a gradient of layer '")) << place;
}

TEST(RunStepFaults, explain_why_a_run_gives_up) {
    ReplicaBench bench(kTooLargeScale);
    const run::StepResult skipped = bench.train(1);
    run::StepFaults& faults = bench.replica.training().faults();
    const std::string why = faults.why_it_gives_up(skipped.scale, ", and more");
    EXPECT_NE(why.find(faults.place() + ", and more; the loss scale is 1e+12, and static"), std::string::npos) << why;
}

}  // namespace
}  // namespace sluice::test
