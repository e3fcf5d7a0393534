// Gradients that no layer needs.
#include <gtest/gtest.h>

#include "unit/plan_bench.hpp"

namespace sluice::test {
namespace {

using plan::Mode;

TEST(PlanGradients, of_the_data_are_left_out) {
    EXPECT_EQ(pass_text(PlanBench().plan(Mode::train), "gradients"), "not computed for input data in 'stem', 'loss'");
    EXPECT_EQ(pass_text(PlanBench().plan(Mode::evaluate), "gradients"), "");
}

}  // namespace
}  // namespace sluice::test
