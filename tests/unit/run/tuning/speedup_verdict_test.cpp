// Verdicts about replicas, with invented times.
#include "run/tuning/speedup_verdict.hpp"

#include <gtest/gtest.h>

#include "run/collective/exchange.hpp"
#include "run/collective/sharing.hpp"
#include "unit/plan_bench.hpp"

namespace sluice::run {
namespace {

constexpr StepTimes kUsual{.whole = 1.0, .data = 0.0, .compute = 0.3, .waited = 0.6};

class Verdict : public testing::Test {
protected:
    // Returns the verdict about replicas that have the same times in each step.
    [[nodiscard]] std::string text(const std::vector<StepTimes>& replicas) const {
        std::vector<ReplicaTimes> times;
        for (const StepTimes& step : replicas) {
            times.emplace_back().fill(step);
        }
        return SpeedupVerdict(homes_, measured_, times, kSharedSteps).text();
    }
    static bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

    ReplicaPlacement homes_{.hosts = {"anna", "berta"}, .may_send_bfloat16 = true};
    SpeedupVerdict::Measured measured_{.alone = 0.3, .together = 0.3};
};

TEST_F(Verdict, says_whose_input_is_slow) {
    const StepTimes fed{.whole = 1.0, .data = 0.0, .compute = 0.125, .waited = 0.8125};
    const StepTimes hungry{.whole = 1.0, .data = 0.75, .compute = 0.125, .waited = 0.0625};
    const std::string second = text({fed, hungry});
    EXPECT_TRUE(has(second, "the input of process 1 on berta holds them up, and the others wait for it")) << second;
    EXPECT_TRUE(has(second, "wait for data 750.0 (75 %), for each other 0.0 (0 %)")) << second;
    EXPECT_TRUE(has(text({hungry, fed}), "the input of process 0 on anna holds them up"));
    homes_.hosts = {"anna", "anna"};
    EXPECT_TRUE(has(text({hungry, fed}), "the input of process 0 holds them up"));
    EXPECT_TRUE(has(text({hungry, hungry}), "; the input holds them up: "));
    homes_ = {.hosts = {"anna"}, .replicas = 2};
    EXPECT_TRUE(has(text({hungry, hungry}), "; the input holds them up: "));
}

TEST_F(Verdict, names_the_replica_that_is_slower_than_the_others) {
    measured_ = {.alone = 0.3, .together = 0.8};
    const StepTimes slow{.whole = 1.0, .data = 0.0, .compute = 0.8, .waited = 0.1};
    for (const std::vector<std::string>& hosts : {std::vector<std::string>{"anna", "berta"}, {"anna", "anna"}}) {
        homes_.hosts = hosts;
        const std::string verdict = text({kUsual, slow});
        EXPECT_TRUE(has(verdict, "; replica 1 is the slowest, and the others wait for it")) << verdict;
    }
}

TEST_F(Verdict, blames_the_machine_only_if_replicas_share_one) {
    measured_ = {.alone = 0.3, .together = 0.7};
    const std::vector<StepTimes> both(2, {.whole = 1.0, .data = 0.0, .compute = 0.7, .waited = 0.2});
    const std::string apart = text(both);
    EXPECT_FALSE(has(apart, "hold each other up")) << apart;
    EXPECT_FALSE(has(apart, "a share of the cores")) << apart;
    homes_.hosts = {"anna", "anna"};
    const std::string beside = text(both);
    EXPECT_TRUE(has(beside, "they hold each other up, sharing cores or memory")) << beside;
    EXPECT_TRUE(has(beside, "each has a share of the cores")) << beside;
}

// Each of five replicas is the last one in its turn.
TEST_F(Verdict, blames_no_replica_if_none_is_always_the_slowest) {
    homes_ = {.hosts = {"anna"}, .replicas = 5};
    std::vector<ReplicaTimes> times(5);
    for (std::size_t step = 0; step < kSharedSteps; ++step) {
        for (std::size_t replica = 0; replica < times.size(); ++replica) {
            const bool is_last = step % times.size() == replica;
            times[replica][step] = {.whole = 1.0, .data = 0.0, .compute = 0.5, .waited = is_last ? 0.05 : 0.45};
        }
    }
    const std::string verdict = SpeedupVerdict(homes_, {.alone = 0.5, .together = 0.5}, times, kSharedSteps).text();
    EXPECT_TRUE(has(verdict, "they hold each other up")) << verdict;
}

TEST_F(Verdict, names_the_network_only_if_it_is_between_them) {
    const std::string apart = text({kUsual, kUsual});
    EXPECT_TRUE(has(apart,
                    "the network between the processes holds them up: strategy.wire = \"bfloat16\" halves the "
                    "traffic, and a larger data.batch or train.accumulate makes exchanges rarer"))
        << apart;
    homes_.hosts = {"anna", "anna"};
    const std::string beside = text({kUsual, kUsual});
    EXPECT_TRUE(has(beside, "; exchange and update hold them up: a larger data.batch")) << beside;
}

TEST_F(Verdict, names_the_network_only_if_the_exchange_takes_longest) {
    const std::vector<StepTimes> both(2, {.whole = 1.0, .data = 0.0, .compute = 0.3, .waited = 0.1});
    EXPECT_TRUE(has(text(both), "; exchange and update hold them up: a larger data.batch"));
}

TEST_F(Verdict, recommends_narrow_gradients_if_these_may_be) {
    homes_.may_send_bfloat16 = false;
    EXPECT_TRUE(has(text({kUsual, kUsual}), "the network between the processes holds them up: a larger data.batch"));
    homes_ = {.hosts = {"anna"}, .replicas = 2, .are_on_cpu = false, .may_send_bfloat16 = true};
    EXPECT_TRUE(has(text({kUsual, kUsual}), "strategy.wire"));
    homes_.may_send_bfloat16 = false;
    EXPECT_FALSE(has(text({kUsual, kUsual}), "strategy.wire"));
}

class NarrowGradients : public testing::Test {
protected:
    NarrowGradients() { bench_.spec.deterministic = false; }
    [[nodiscard]] bool may_be(std::uint64_t gradients) const {
        return could_send_bfloat16(bench_.spec, plan::Buckets(gradients, update_share(bench_.spec, 2)), false);
    }

    test::PlanBench bench_;
};

TEST_F(NarrowGradients, may_be_if_they_are_wide_and_one_bucket_is_not_small) {
    EXPECT_TRUE(may_be(4097));
    EXPECT_FALSE(may_be(4096));
    bench_.spec.sharing.bucket = 8192;
    EXPECT_FALSE(may_be(1000000)) << "all buckets are small";
    bench_.spec.sharing.shard_optimizer = true;
    EXPECT_TRUE(may_be(1000000)) << "slices can be narrow at any size";
    bench_.spec.sharing.sends_bfloat16 = true;
    EXPECT_FALSE(may_be(1000000)) << "they are narrow already";
}

TEST_F(NarrowGradients, may_not_be_if_the_results_must_not_depend_on_the_replicas) {
    bench_.spec.sharing.micro_shards = 2;
    EXPECT_TRUE(may_be(1000000));
    bench_.spec.deterministic = true;
    EXPECT_FALSE(may_be(1000000));
    bench_.spec.sharing.micro_shards = 0;
    EXPECT_TRUE(may_be(1000000));
}

}  // namespace
}  // namespace sluice::run
