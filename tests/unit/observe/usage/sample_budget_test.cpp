// A part of a sample that takes too long is left out of some samples.
#include "observe/usage/sample_budget.hpp"

#include <gtest/gtest.h>

namespace sluice::observe {
namespace {

// Samples of 1000 in which the part is done, if it takes so many seconds each time.
int done(double seconds) {
    SampleBudget budget;
    int count = 0;
    for (int i = 0; i < 1000; ++i) {
        if (budget.take()) {
            budget.spend(seconds);
            ++count;
        }
    }
    return count;
}

TEST(SampleBudget, cheap_parts_are_always_done) { EXPECT_EQ(done(0.9 * SampleBudget::kSeconds), 1000); }

TEST(SampleBudget, dear_parts_keep_to_the_budget_on_average) {
    EXPECT_EQ(done(4.5 * SampleBudget::kSeconds), 200);
    EXPECT_LE(done(4.5 * SampleBudget::kSeconds) * 4.5, 1000.0);
}

TEST(SampleBudget, very_dear_parts_are_still_done_now_and_then) { EXPECT_GT(done(10.0), 30); }

}  // namespace
}  // namespace sluice::observe
