// The check of a plan after each pass.
#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "plan/passes/verify.hpp"
#include "unit/plan_bench.hpp"

namespace sluice::test {
namespace {

using plan::Mode;

TEST(PlanVerify, refuses_a_plan_that_is_wrong) {
    const PlanBench bench;
    plan::Plan overlapping = bench.plan(Mode::train);
    std::ranges::fill(overlapping.memory.gradients, 0);
    EXPECT_THROW(plan::verify(overlapping, "test"), std::logic_error);
    plan::Plan unordered = bench.plan(Mode::train);
    std::swap(unordered.launches[0], unordered.launches[5]);
    EXPECT_THROW(plan::verify(unordered, "test"), std::logic_error);
    plan::Plan incomplete = bench.plan(Mode::train);
    incomplete.steps.back().nodes.clear();
    EXPECT_THROW(plan::verify(incomplete, "test"), std::logic_error);
    plan::Plan sound = bench.plan(Mode::train);
    EXPECT_NO_THROW(plan::verify(sound, "test"));
}

}  // namespace
}  // namespace sluice::test
