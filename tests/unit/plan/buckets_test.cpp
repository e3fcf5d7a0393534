// Buckets and slices of the flat buffers, and what a replica keeps if updates are shared.
#include "plan/buckets.hpp"

#include <gtest/gtest.h>

#include "run/weights/full_optimizer_states.hpp"
#include "run/weights/weights.hpp"
#include "unit/plan_bench.hpp"

namespace sluice::test {
namespace {

TEST(PlanBuckets, cover_all_if_nothing_is_shared) {
    const plan::Buckets buckets(1000, {.bucket = 1600});
    ASSERT_EQ(buckets.all().size(), 3U);
    EXPECT_EQ(buckets.elements(), 1000U);
    EXPECT_EQ(buckets.all().back().begin, 800U);
    EXPECT_EQ(buckets.all().back().end, 1000U);
    EXPECT_EQ(buckets.own(buckets.all().back()).count(), 200U);
}

TEST(PlanBuckets, have_slices_of_equal_length_for_all_replicas) {
    for (const std::uint32_t replicas : {2U, 3U, 4U}) {
        std::uint64_t end = 0;
        const plan::Buckets first(1000, {.bucket = 1600, .replicas = replicas});
        EXPECT_GE(first.elements(), 1000U);
        EXPECT_GE(first.all().size(), 2U);
        for (const plan::Range& bucket : first.all()) {
            std::uint64_t kept_at = 0;
            for (std::uint32_t rank = 0; rank < replicas; ++rank) {
                const plan::Buckets buckets(1000, {.bucket = 1600, .replicas = replicas, .rank = rank});
                const plan::Range own = buckets.own(bucket);
                EXPECT_EQ(own.begin, end);
                EXPECT_EQ(own.count() * replicas, bucket.count());
                end = own.end;
                kept_at = buckets.kept_at(bucket);
            }
            EXPECT_EQ(kept_at * replicas, bucket.begin);
        }
        EXPECT_EQ(end, first.elements());
        EXPECT_EQ(first.kept() * replicas, first.elements());
    }
}

// Each of two replicas keeps half of every state. Both halves together are the states of a checkpoint.
TEST(PlanBuckets, states_are_kept_in_parts) {
    const PlanBench bench;
    const plan::Plan made = bench.plan(plan::Mode::train);
    const std::vector<std::string> names{"moment1", "moment2"};
    const plan::UpdateShare share{.bucket = 1024, .replicas = 2};
    const plan::WeightBytes whole = plan::weight_bytes(made, names.size(), true, {.bucket = 1024});
    const plan::WeightBytes half = plan::weight_bytes(made, names.size(), true, share);
    EXPECT_NEAR(static_cast<double>(half.optimizer_states), 0.5 * static_cast<double>(whole.optimizer_states), 1024.0);

    run::Weights weights(bench.tools.device, made, names, true, share);
    weights.initialise(1, nullptr, *bench.threads.api());
    run::FullOptimizerStates states(weights);
    std::ranges::fill(states.values(1), 1.0F);
    states.put(*bench.tools.device, nullptr);
    std::uint64_t kept = 0;
    for (const run::OwnPart& own : weights.states().own_parts()) {
        kept += own.range.count();
        EXPECT_EQ(own.states[0][own.range.count() - 1], 0.0F);
        EXPECT_EQ(own.states[1][own.range.count() - 1], 1.0F);
    }
    EXPECT_EQ(kept * names.size() * sizeof(float), half.optimizer_states);
    EXPECT_TRUE(std::ranges::none_of(
        weights.tensors(), [](const run::WeightTensor& tensor) { return tensor.name.starts_with("optimizer/"); }));
    EXPECT_EQ(states.tensors().size(), 2 * made.graph.parameters.size());
}

}  // namespace
}  // namespace sluice::test
