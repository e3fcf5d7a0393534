// The 16-bit copies and the moving average of the parameters.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "plan/plan.hpp"
#include "run/weights/rounded_copies.hpp"
#include "run/weights/weights.hpp"
#include "sluice/half.h"
#include "unit/plan_bench.hpp"

namespace sluice::test {
namespace {

// A copy is made anew if the version of the parameters has changed, or if its type was requested later than others.
TEST(RunWeights, rounded_copies_follow_the_version) {
    const PlanBench bench;
    std::array<float, 3> parameters{1.0F, -2.5F, 0.1F};
    run::RoundedCopies copies(bench.tools.device, parameters.size());
    const auto refresh = [&](std::uint32_t version) {
        copies.refresh(parameters.data(), version, nullptr, *bench.threads.api());
    };
    copies.keep(kBfloat16);
    refresh(1);
    EXPECT_EQ(copies.of(kBfloat16)[1], sluice_bfloat16_of_float(-2.5F));

    parameters[1] = 4.0F;
    refresh(1);
    EXPECT_EQ(copies.of(kBfloat16)[1], sluice_bfloat16_of_float(-2.5F)) << "the version is the same";
    copies.keep(kFloat16);
    copies.keep(kBfloat16);
    refresh(1);
    EXPECT_EQ(copies.of(kBfloat16)[1], sluice_bfloat16_of_float(-2.5F)) << "the version is the same";
    EXPECT_EQ(copies.of(kFloat16)[1], sluice_float16_of_float(4.0F));
    refresh(2);
    EXPECT_EQ(copies.of(kBfloat16)[1], sluice_bfloat16_of_float(4.0F));
}

TEST(RunWeights, average_starts_from_the_weights_as_they_are) {
    const PlanBench bench;
    const plan::Plan made = bench.plan(plan::Mode::train);
    run::Weights weights(bench.tools.device, made, {}, true);
    weights.initialise(1, nullptr, *bench.threads.api());
    ASSERT_TRUE(weights.average().is_kept());
    const auto has = [](const float* found, const float* right, std::uint64_t count) {
        return std::equal(found, found + count, right);
    };
    EXPECT_TRUE(has(weights.average().parameters(), weights.parameters(), weights.count()));

    std::fill_n(weights.parameters(), weights.count(), 3.0F);
    std::fill_n(weights.running(), weights.running_count(), 5.0F);
    EXPECT_FALSE(has(weights.average().parameters(), weights.parameters(), weights.count()));
    EXPECT_FALSE(has(weights.average().running(), weights.running(), weights.running_count()));
    weights.restart_average(nullptr);
    EXPECT_TRUE(has(weights.average().parameters(), weights.parameters(), weights.count()));
    EXPECT_TRUE(has(weights.average().running(), weights.running(), weights.running_count()));

    const run::Weights without(bench.tools.device, made, {}, false);
    EXPECT_FALSE(without.average().is_kept());
    const auto of_average = [](const run::WeightTensor& tensor) { return tensor.name.starts_with("average/"); };
    EXPECT_EQ(std::ranges::count_if(weights.tensors(), of_average),
              static_cast<std::ptrdiff_t>(made.graph.parameters.size() + made.graph.states.size()));
    EXPECT_TRUE(std::ranges::none_of(without.tensors(), of_average));
}

}  // namespace
}  // namespace sluice::test
