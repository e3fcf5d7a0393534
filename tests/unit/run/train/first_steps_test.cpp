// What is measured in the first steps of two replicas on the CPU.
#include "run/train/first_steps.hpp"

#include <gtest/gtest.h>

#include <utility>

#include "data/chain/chain.hpp"
#include "run/train/training_replicas.hpp"
#include "run/upload/micro_batches.hpp"
#include "unit/run/replica/replica_bench.hpp"
#include "unit/run/train/training_data.hpp"

namespace sluice::test {
namespace {

class RunFirstSteps : public testing::Test {
protected:
    RunFirstSteps() { replicas_.make(std::move(bench_.tools), chain_); }

    // Adds twenty finished steps and returns what is logged.
    static std::string log_of_steps(run::FirstSteps& first) {
        profile::StageSeconds seconds;
        seconds[profile::Stage::forward] = 0.1;
        testing::internal::CaptureStderr();
        for (std::int64_t i = 1; i <= 20; ++i) {
            first.add_step({.epoch = 1, .step = i, .batch_count = 1, .samples = 2}, seconds, 0.0);
        }
        return testing::internal::GetCapturedStderr();
    }

    PlanBench bench_{{"strategy={ use = \"mirrored\", replicas = 2 }", kBlur}};
    data::Chain chain_{bench_.spec.data.train, bench_.registry, 7, "data.train"};
    run::TrainingReplicas replicas_{bench_.spec, bench_.tools, 2};
};

TEST_F(RunFirstSteps, the_gain_of_replicas_is_logged_once_after_a_whole_batch) {
    run::FirstSteps first(bench_.spec, replicas_.group(), replicas_.processes(), replicas_.world());
    first.begin();
    const data::Batch whole = fixed_batch(bench_);
    data::Batch part;
    run::copy_samples(whole, 0, 1, part);
    first.add_batch(part, {});
    EXPECT_EQ(log_of_steps(first), "");
    first.add_batch(whole, {});
    const std::string log = log_of_steps(first);
    EXPECT_NE(log.find("replicas 2: "), std::string::npos) << log;
    EXPECT_EQ(log.find("replicas 2: "), log.rfind("replicas 2: ")) << log;
    EXPECT_EQ(log_of_steps(first), "");
}

}  // namespace
}  // namespace sluice::test
