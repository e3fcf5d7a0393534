// The batches that a training takes from its loader.
#include "run/train/training_batches.hpp"

#include <gtest/gtest.h>

#include "unit/run/train/training_data.hpp"

namespace sluice::test {
namespace {

std::vector<std::uint8_t> first_field(const data::Batch& batch) {
    const auto& bytes = batch.fields.at(0).tensor.bytes;
    return {bytes.begin(), bytes.end()};
}

TEST(RunTrainingBatches, follow_each_other) {
    TrainingData data;
    const std::vector<std::uint8_t> first = first_field(data.batches.next());
    EXPECT_NE(first_field(data.batches.next()), first);
    EXPECT_FALSE(data.batches.digest().empty());
}

TEST(RunTrainingBatches, are_one_if_it_is_to_be_overfitted) {
    TrainingData data("train.overfit_one_batch=true");
    const std::vector<std::uint8_t> first = first_field(data.batches.next());
    EXPECT_EQ(first_field(data.batches.next()), first);
    EXPECT_EQ(data.batches.digest(), "");
    EXPECT_TRUE(data.batches.are_ready(1000));
}

TEST(RunTrainingBatches, are_the_first_again_and_again_if_they_are_replayed) {
    TrainingData data("what_if.replay_batches=2");
    const std::vector<std::uint8_t> first = first_field(data.batches.next());
    EXPECT_FALSE(data.batches.are_ready(1000));
    const std::vector<std::uint8_t> second = first_field(data.batches.next());
    EXPECT_NE(second, first);
    EXPECT_EQ(first_field(data.batches.next()), first);
    EXPECT_EQ(first_field(data.batches.next()), second);
    EXPECT_EQ(first_field(data.batches.next()), first);
    EXPECT_TRUE(data.batches.are_ready(1000));
}

TEST(RunTrainingBatches, a_position_before_what_was_digested_has_no_digest) {
    TrainingData data;
    data.batches.next();
    EXPECT_FALSE(data.batches.loader_state_at(1).digest_state.empty());
    EXPECT_TRUE(data.batches.loader_state_at(0).digest_state.empty());
}

}  // namespace
}  // namespace sluice::test
