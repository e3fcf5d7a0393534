// What the passes report in the listing of a plan.
#include <gtest/gtest.h>

#include "plan/passes/pass.hpp"
#include "plan/plan_text.hpp"
#include "unit/plan_bench.hpp"

namespace sluice::test {
namespace {

using plan::Mode;

TEST(PlanPasses, say_what_they_did) {
    const PlanBench bench;
    const plan::Plan plan = bench.plan(Mode::train);
    const std::string listing = plan::list_plan(plan);
    for (const char* pass : {"gradients", "kernels", "in place", "arena"}) {
        EXPECT_FALSE(pass_text(plan, pass).empty()) << pass;
        EXPECT_NE(listing.find(pass_text(plan, pass)), std::string::npos) << listing;
    }
    EXPECT_EQ(pass_text(plan, "evaluation"), "");
    EXPECT_EQ(pass_text(plan, "recompute"), "");
}

}  // namespace
}  // namespace sluice::test
