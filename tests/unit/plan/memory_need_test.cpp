// Messages about plans that do not fit into the memory of a device, with what would help.
#include "plan/memory_need.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "unit/plan_bench.hpp"

namespace sluice::plan {
namespace {

constexpr std::uint64_t kGiB = std::uint64_t{1} << 30;

config::PipelineSpec spec_of(std::int64_t batch) {
    config::PipelineSpec spec;
    spec.data.batch = batch;
    spec.precision.use = "float32";
    return spec;
}

TEST(PlanMemoryNeed, what_fits_needs_no_words) {
    EXPECT_EQ(why_too_large({.arena = 6 * kGiB, .weights = 2 * kGiB}, 8 * kGiB, spec_of(8), Mode::train), "");
    EXPECT_NE(why_too_large({.arena = 6 * kGiB, .weights = 2 * kGiB}, 8 * kGiB - 1, spec_of(8), Mode::train), "");
}

// Only 6 GiB are left for 24 GiB of activations, so a quarter of the batch fits.
TEST(PlanMemoryNeed, a_batch_that_fits_is_named) {
    config::PipelineSpec spec = spec_of(32);
    spec.train.accumulate = 2;
    EXPECT_EQ(
        why_too_large({.arena = 24 * kGiB, .weights = 2 * kGiB}, 8 * kGiB, spec, Mode::train),
        "26.0 GiB of memory are needed, 24.0 GiB for activations and 2.0 GiB for weights, gradients and optimizer "
        "states; 8.0 GiB are free; what helps: data.batch = 8 with train.accumulate = 8, which keeps the samples of a "
        "step, or train.recompute = \"selective\", or precision.use = \"mixed_bfloat16\"");
    EXPECT_NE(why_too_large({.arena = 24 * kGiB, .weights = 2 * kGiB}, 8 * kGiB, spec, Mode::evaluate)
                  .find("data.batch = 8, or"),
              std::string::npos);
    EXPECT_TRUE(why_too_large({.arena = 24 * kGiB, .weights = 2 * kGiB}, 8 * kGiB, spec, Mode::predict)
                    .ends_with("what helps: a smaller --tile, or precision.use = \"mixed_bfloat16\""));
}

TEST(PlanMemoryNeed, of_a_batch_in_micro_batches_smaller_ones_are_named) {
    EXPECT_NE(
        why_too_large({.arena = 12 * kGiB, .weights = 2 * kGiB, .micro_batches = 4}, 8 * kGiB, spec_of(32), Mode::train)
            .find("data.batch = 4 with train.accumulate = 8,"),
        std::string::npos);
}

// A quarter of each replica's samples fits, but no batch may leave a replica without a sample.
TEST(PlanMemoryNeed, of_replicas_each_keeps_a_sample) {
    const auto advice = [](std::int64_t batch, std::int64_t shards) {
        return why_too_large({.arena = 24 * kGiB, .weights = 2 * kGiB, .shards = shards}, 8 * kGiB, spec_of(batch),
                             Mode::train);
    };
    EXPECT_NE(advice(256, 64).find("data.batch = 64 with train.accumulate = 4,"), std::string::npos) << advice(256, 64);
    EXPECT_EQ(advice(256, 128).find("data.batch"), std::string::npos) << advice(256, 128);
}

TEST(PlanMemoryNeed, what_others_could_keep_is_advised) {
    const std::string reason = why_too_large({.arena = kGiB, .weights = 9 * kGiB, .shards = 2, .others = 2 * kGiB},
                                             8 * kGiB, spec_of(2), Mode::train);
    EXPECT_NE(reason.find("strategy.shard_optimizer = true, which saves 2.0 GiB"), std::string::npos) << reason;
}

TEST(PlanMemoryNeed, what_is_done_already_is_not_advised) {
    config::PipelineSpec spec = spec_of(1);
    spec.train.recompute = config::Recompute::full;
    spec.precision.use = "mixed_float16";
    EXPECT_TRUE(why_too_large({.arena = 24 * kGiB, .weights = 2 * kGiB}, 8 * kGiB, spec, Mode::train)
                    .ends_with("8.0 GiB are free"));
}

TEST(PlanMemoryNeed, weights_that_fill_the_memory_leave_no_batch) {
    const std::string reason = why_too_large({.arena = kGiB, .weights = 9 * kGiB}, 8 * kGiB, spec_of(32), Mode::train);
    EXPECT_EQ(reason.find("data.batch"), std::string::npos) << reason;
}

TEST(PlanMemoryNeed, a_plan_that_fits_passes) {
    const test::PlanBench bench;
    const Plan plan = bench.plan(Mode::train);
    WeightBytes weights = weight_bytes(plan, 2, false);
    check_fits(memory_need(plan, weights, bench.spec, *bench.tools.device), 8 * kGiB, bench.spec, Mode::train,
               *bench.tools.device);
    weights.optimizer_states = std::uint64_t{1} << 60;
    try {
        check_fits(memory_need(plan, weights, bench.spec, *bench.tools.device), 8 * kGiB, bench.spec, Mode::train,
                   *bench.tools.device);
        FAIL() << "2^60 bytes were accepted";
    } catch (const Error& error) {
        EXPECT_EQ(error.exit(), Exit::device);
        EXPECT_TRUE(std::string(error.what()).starts_with("device 'cpu': ")) << error.what();
    }
}

TEST(PlanMemoryNeed, gradients_that_are_kept_beside_other_replicas_count) {
    const auto kept = [](const std::string& layers, std::int64_t accumulate, bool has_others) {
        test::PlanBench bench({}, test::pipeline_of(layers));
        bench.spec.train.accumulate = accumulate;
        const Plan plan = bench.plan(Mode::train);
        const WeightBytes weights = weight_bytes(plan, 2, false);
        const MemoryNeed need = memory_need(plan, weights, bench.spec, *bench.tools.device, {.has_others = has_others});
        EXPECT_TRUE(need.weights == weights.total() || need.weights == weights.total() + weights.gradients);
        return need.weights > weights.total();
    };
    const std::string joining =
        R"({ type = "batch_norm", synchronized = true }, { type = "conv2d", filters = 3, kernel = 3 })";
    EXPECT_TRUE(kept(joining, 2, true));
    EXPECT_FALSE(kept(joining, 2, false));
    EXPECT_FALSE(kept(joining, 1, true));
    EXPECT_FALSE(kept(R"({ type = "conv2d", filters = 3, kernel = 3 })", 2, true));
}

TEST(PlanMemoryNeed, what_each_of_several_shards_gives_counts) {
    const test::PlanBench bench({}, test::pipeline_of(R"({ type = "batch_norm" }, { type = "conv2d", filters = 3 })"));
    const Plan plan = bench.plan(Mode::train);
    const WeightBytes weights = weight_bytes(plan, 2, false);
    const auto need = [&](std::int64_t shards) {
        return memory_need(plan, weights, bench.spec, *bench.tools.device, {.shards_per_replica = shards}).weights;
    };
    ASSERT_GT(weights.running, 0U);
    EXPECT_EQ(need(1), weights.total());
    EXPECT_EQ(need(4), weights.total() + 4 * (weights.gradients + weights.running));
}

}  // namespace
}  // namespace sluice::plan
