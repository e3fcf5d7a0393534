// The digest of an epoch while its batches are handed out: by one process, by several, and by one that resumes.
#include "data/loader/epoch_hashes.hpp"

#include <array>

#include "data/loader/batch_slot.hpp"
#include "unit/data/data_test_chain.hpp"

namespace sluice::data {
namespace {

constexpr std::int64_t kBatchSize = 2;

// Fills batch `number`, in which sample i is the byte 10 + i, with the samples in `own`, which this process made.
void fill(BatchSlot& slot, std::uint64_t number, const SampleRange& own) {
    slot.open(0, number, kBatchSize, own);
    for (std::int64_t position = own.begin; position < own.end; ++position) {
        const std::uint64_t index = number * kBatchSize + static_cast<std::uint64_t>(position);
        std::array<std::uint8_t, 1> byte = {static_cast<std::uint8_t>(10 + index)};
        const TensorView tensor{make_spec(kUint8, {1}), byte};
        slot.put(position, index, {.name = {}, .fields = {{.name = "image", .role = 0, .tensor = tensor}}});
    }
}

class EpochHashesTest : public testing::Test {
protected:
    void hand_out(EpochHashes& hashes, std::uint64_t number, const SampleRange& own = {0, kBatchSize}) {
        fill(slot_, number, own);
        hashes.add(slot_, number, own.end - own.begin == kBatchSize);
    }
    // Returns the digest of the first batches of the epoch, made by one process.
    std::string digest_of(std::uint64_t batches) {
        EpochHashes hashes(kBatchSize, true);
        for (std::uint64_t number = 0; number < batches; ++number) {
            hand_out(hashes, number);
        }
        return hashes.digest()->text();
    }

    const std::vector<registry::Field> fields_ = {
        {.name = "image", .role = SLUICE_FIELD_IMAGE, .spec = make_spec(kUint8, {1})}};
    BatchSlot slot_{{0}, fields_, kBatchSize};
};

TEST_F(EpochHashesTest, begin_anew_with_each_epoch) {
    EpochHashes hashes(kBatchSize, true);
    EXPECT_EQ(hashes.digest(), nullptr);
    for (const std::uint64_t number : {0, 1, 2, 0, 1}) {
        hand_out(hashes, number);
    }
    EXPECT_EQ(hashes.digest()->text(), digest_of(2));
    EXPECT_EQ(hashes.digested(), 2U);
    EXPECT_NE(digest_of(2), digest_of(3));
}

TEST_F(EpochHashesTest, of_two_processes_join_to_those_of_one) {
    EpochHashes first(kBatchSize, true);
    EpochHashes second(kBatchSize, true);
    for (std::uint64_t number = 0; number < 2; ++number) {
        hand_out(first, number, {0, 1});
        hand_out(second, number, {1, 2});
    }
    EXPECT_EQ(first.digest(), nullptr);
    EXPECT_EQ(first.digested(), 0U);
    const std::vector<std::string> both = {first.own(), second.own()};
    for (EpochHashes* const one : {&first, &second}) {
        one->join(both);
        EXPECT_EQ(one->digest()->text(), digest_of(2));
        EXPECT_EQ(one->digested(), 2U);
        EXPECT_EQ(one->own(), "");
    }
}

TEST_F(EpochHashesTest, are_not_collected_if_nobody_joins_them) {
    EpochHashes hashes(kBatchSize, false);
    hand_out(hashes, 0, {0, 1});
    EXPECT_EQ(hashes.own(), "");
}

TEST_F(EpochHashesTest, continue_if_the_batches_before_are_known) {
    EpochHashes before(kBatchSize, true);
    hand_out(before, 0);
    EpochHashes after(kBatchSize, true);
    after.restart(1, before.state());
    hand_out(after, 1);
    EXPECT_EQ(after.digest()->text(), digest_of(2));
    after.restart(1, "");
    hand_out(after, 1);
    EXPECT_EQ(after.digest(), nullptr);
    EXPECT_EQ(after.state(), "");
    hand_out(after, 0);
    EXPECT_EQ(after.digest()->text(), digest_of(1));
}

}  // namespace
}  // namespace sluice::data
