// The SHA-256 of an epoch's samples, over a stop and a resume.
#include "run/train/epoch_data_check.hpp"

#include <gtest/gtest.h>

#include "unit/run/train/training_data.hpp"

namespace sluice::test {
namespace {

TEST(RunEpochDataCheck, notes_what_an_epoch_began_with_once) {
    TrainingData data;
    ASSERT_TRUE(data.digests.seek(data.progress, 0.0));
    data.train(1);
    const std::string beginning = data.progress.data.sha256;
    EXPECT_EQ(beginning, data.batches.digest());
    EXPECT_EQ(data.progress.data.batches, 1U);
    data.train(1);
    EXPECT_EQ(data.progress.data.sha256, beginning);
    data.train(2);
    EXPECT_EQ(data.progress.epoch, 1U);
    EXPECT_EQ(data.progress.data.sha256, data.batches.digest());
}

TEST(RunEpochDataCheck, notes_nothing_of_a_batch_that_is_to_be_overfitted) {
    TrainingData data("train.overfit_one_batch=true");
    ASSERT_TRUE(data.digests.seek(data.progress, 0.0));
    data.train(1);
    EXPECT_TRUE(data.progress.data.sha256.empty());
}

TEST(RunEpochDataCheck, digests_are_the_same_after_a_resume_within_the_epoch) {
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

TEST(RunEpochDataCheck, batches_that_the_digest_lacks_are_made_again) {
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

TEST(RunEpochDataCheck, other_samples_are_warned_of_and_have_no_digest) {
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
