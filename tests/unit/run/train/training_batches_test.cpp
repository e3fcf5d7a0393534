// A training takes these from its loader: batches, and the SHA-256 of each epoch's samples.
#include <gtest/gtest.h>

#include "data/loader/loader.hpp"
#include "run/train/epoch_data_check.hpp"
#include "run/train/loader_setup.hpp"
#include "run/train/training_batches.hpp"
#include "unit/plan_bench.hpp"

namespace sluice::test {
namespace {

// An epoch has three batches of two samples.
struct TrainingData {
    explicit TrainingData(const std::string& set = "train.epochs=1")
        : bench({set, "data.train.source.count=6",
                 "data.train.map=[{ use = \"motion_blur\", from = \"sharp\", to = \"blurred\", length = 5, angle = 0 "
                 "}]"}) {}

    // Trains `steps` steps of one batch, without a network.
    void train(int steps) {
        for (int i = 0; i < steps; ++i) {
            batches.next();
            ++progress.step;
            ++progress.batch;
            digests.add_step(progress, 0.0);
            if (timeline.is_epoch_done(progress)) {
                ++progress.epoch;
                progress.batch = 0;
            }
        }
        progress.loader_state = batches.loader_state_at(progress.batch);
    }

    PlanBench bench;
    data::Chain chain{bench.spec.data.train, bench.registry, 7, "data.train"};
    data::Loader loader{chain, run::loader_options(bench.spec, true, 1)};
    registry::Processes processes;
    run::StopRequest stop{processes};
    run::Timeline timeline{bench.spec, loader.batches_per_epoch()};
    run::TrainingBatches batches{bench.spec, loader};
    run::EpochDataCheck digests{bench.spec, processes, loader, timeline, stop};
    run::Progress progress;
};

std::vector<std::uint8_t> first_field(const data::Batch& batch) {
    const auto& bytes = batch.fields.at(0).tensor.bytes;
    return {bytes.begin(), bytes.end()};
}

TEST(RunTrainingBatches, follow_each_other) {
    TrainingData data;
    const std::vector<std::uint8_t> first = first_field(data.batches.next());
    EXPECT_NE(first_field(data.batches.next()), first);
    EXPECT_FALSE(data.batches.digest().empty());
    EXPECT_GT(data.batches.take_waited_seconds(), 0.0);
    EXPECT_EQ(data.batches.take_waited_seconds(), 0.0);
}

TEST(RunTrainingBatches, are_one_if_it_is_to_be_overfitted) {
    TrainingData data("train.overfit_one_batch=true");
    const std::vector<std::uint8_t> first = first_field(data.batches.next());
    EXPECT_EQ(first_field(data.batches.next()), first);
    EXPECT_EQ(data.batches.digest(), "");
    EXPECT_TRUE(data.batches.are_ready(1000));
}

TEST(RunTrainingBatches, a_position_before_what_was_digested_has_no_digest) {
    TrainingData data;
    data.batches.next();
    EXPECT_FALSE(data.batches.loader_state_at(1).digest_state.empty());
    EXPECT_TRUE(data.batches.loader_state_at(0).digest_state.empty());
}

TEST(RunEpochDigests, are_the_same_after_a_resume_within_the_epoch) {
    TrainingData whole;
    ASSERT_TRUE(whole.digests.seek(whole.progress, 0.0));
    whole.train(2);

    TrainingData stopped;
    ASSERT_TRUE(stopped.digests.seek(stopped.progress, 0.0));
    stopped.train(1);
    EXPECT_FALSE(stopped.progress.data.sha256.empty());
    TrainingData resumed;
    resumed.progress = stopped.progress;
    ASSERT_TRUE(resumed.digests.seek(resumed.progress, 0.0));
    resumed.batches.next();
    EXPECT_EQ(resumed.batches.digest(), whole.batches.digest());
    EXPECT_FALSE(resumed.batches.digest().empty());
}

TEST(RunEpochDigests, batches_that_the_digest_lacks_are_made_again) {
    TrainingData stopped;
    ASSERT_TRUE(stopped.digests.seek(stopped.progress, 0.0));
    stopped.train(1);
    const data::LoaderState after_one = stopped.progress.loader_state;
    stopped.train(1);
    TrainingData resumed;
    resumed.progress = stopped.progress;
    resumed.progress.loader_state = after_one;
    ASSERT_TRUE(resumed.digests.seek(resumed.progress, 0.0));
    EXPECT_EQ(resumed.batches.digest(), stopped.batches.digest());
}

TEST(RunEpochDigests, other_samples_are_warned_of_and_have_none) {
    TrainingData stopped;
    ASSERT_TRUE(stopped.digests.seek(stopped.progress, 0.0));
    stopped.train(1);
    TrainingData resumed;
    resumed.progress = stopped.progress;
    resumed.progress.data.sha256 = std::string(64, '0');
    testing::internal::CaptureStderr();
    ASSERT_TRUE(resumed.digests.seek(resumed.progress, 0.0));
    const std::string log = testing::internal::GetCapturedStderr();
    EXPECT_NE(log.find("the samples are not those that epoch 1 began with"), std::string::npos) << log;
    EXPECT_TRUE(resumed.progress.data.sha256.empty());
    resumed.batches.next();
    EXPECT_EQ(resumed.batches.digest(), "");
}

}  // namespace
}  // namespace sluice::test
