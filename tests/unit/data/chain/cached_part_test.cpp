// The part of a sample that a cache keeps: its slots, and the memory of its copy.
#include "data/chain/cached_part.hpp"

#include <algorithm>
#include <optional>

#include "unit/data/data_test_chain.hpp"

namespace sluice::data {
namespace {

// Has one sample at most, which lies in the caller's copy as that of a disk cache does.
class OneSampleCache final : public SampleCache {
public:
    [[nodiscard]] std::uint64_t bytes_to_read(std::uint64_t index) const override {
        return index == index_ ? bytes_.size() : 0;
    }
    bool find(std::uint64_t index, CachedSample& sample) override {
        if (index != index_) {
            return false;
        }
        sample.bytes.resize(bytes_.size());
        if (is_damaged) {
            return false;
        }
        std::ranges::copy(bytes_, sample.bytes.begin());
        sample.name = name_;
        sample.fields = {TensorView(make_spec(kUint8, {static_cast<std::int64_t>(bytes_.size())}), sample.bytes)};
        return true;
    }
    void keep(std::uint64_t index, const std::string& name, std::span<const TensorView> fields) override {
        index_ = index;
        name_ = name;
        bytes_ = {fields[0].bytes.begin(), fields[0].bytes.end()};
    }

    bool is_damaged = false;

private:
    std::optional<std::uint64_t> index_;
    std::string name_;
    std::vector<std::uint8_t> bytes_;
};

// Of two slots, the cache keeps the second. A sample may take 100 bytes.
class CachedPartTest : public testing::Test {
protected:
    // Keeps sample 5, whose field consists of `count` bytes 7.
    void keep(std::size_t count) {
        const std::vector<std::uint8_t> bytes(count, 7);
        slots_.set(1, {make_spec(kUint8, {static_cast<std::int64_t>(count)}), bytes});
        part_.keep(5, "five");
        slots_.set(1, {});
    }

    const std::vector<registry::Field> fields_ = {{.name = "file", .role = SLUICE_FIELD_ENCODED, .spec = {}},
                                                  {.name = "image", .role = SLUICE_FIELD_IMAGE, .spec = {}}};
    const std::vector<SlotNumber> kept_ = {1};
    SampleMemory memory_{200, "data.train"};
    SampleMemory::Share share_{memory_};
    SampleSlots slots_{fields_, share_};
    OneSampleCache cache_;
    CachedPart part_{cache_, kept_, slots_, share_};
};

TEST_F(CachedPartTest, sets_the_slots_of_a_sample_that_was_kept) {
    keep(60);
    ASSERT_TRUE(part_.find(5));
    EXPECT_EQ(part_.name(), "five");
    EXPECT_TRUE(slots_[0].bytes.empty());
    ASSERT_EQ(slots_[1].bytes.size(), 60U);
    EXPECT_EQ(slots_[1].bytes[59], 7U);
    EXPECT_EQ(share_.needed(), 60U);
}

TEST_F(CachedPartTest, changes_no_slot_for_a_sample_that_was_not_kept) {
    keep(60);
    EXPECT_FALSE(part_.find(4));
    EXPECT_TRUE(slots_[1].bytes.empty());
    EXPECT_EQ(share_.needed(), 0U);
}

TEST_F(CachedPartTest, of_a_damaged_record_needs_no_memory) {
    keep(60);
    cache_.is_damaged = true;
    EXPECT_FALSE(part_.find(5));
    EXPECT_EQ(share_.needed(), 0U);
    EXPECT_TRUE(slots_[1].bytes.empty());
}

TEST_F(CachedPartTest, is_refused_if_its_copy_is_too_large) {
    keep(101);
    expect_contains(error_of([&] { part_.find(5); }),
                    {"3 its cached copy takes 101 B; data.memory leaves 100 B for a sample"});
}

TEST_F(CachedPartTest, shares_the_memory_of_all_threads) {
    keep(60);
    SampleMemory::Share other(memory_);
    other.grow(50);
    EXPECT_THROW(part_.find(5), SampleMemory::OutOfTurn);
    other.give_back();
    share_.begin();
    ASSERT_TRUE(part_.find(5));
    EXPECT_THROW(other.grow(50), SampleMemory::OutOfTurn);
    part_.release();
    share_.give_back();
    other.grow(100);
}

}  // namespace
}  // namespace sluice::data
