// The slots of a sample: where their bytes go, and how much memory they may take.
#include "data/chain/sample_slots.hpp"

#include <algorithm>
#include <array>

#include "unit/data/data_test_chain.hpp"

namespace sluice::data {
namespace {

constexpr SlotNumber kImage = 0;
constexpr SlotNumber kLabel = 1;

sluice_tensor_spec image_spec(std::int64_t rows) { return make_spec(kUint8, {rows, 5, 2}); }

// A sample may take 100 bytes.
class SampleSlotsTest : public testing::Test {
protected:
    const std::vector<registry::Field> fields_ = {
        {.name = "image", .role = SLUICE_FIELD_IMAGE, .spec = make_spec(kUint8, {-1, -1, 2})},
        {.name = "label", .role = SLUICE_FIELD_CLASS, .spec = make_spec(kInt64, {})}};
    SampleMemory memory_{200, "data.train"};
    SampleMemory::Share share_{memory_};
    SampleSlots slots_{fields_, share_};
};

TEST_F(SampleSlotsTest, keep_a_buffer_for_smaller_samples) {
    const std::uint8_t* const first = slots_.write(kImage, image_spec(6));
    share_.begin();
    EXPECT_EQ(slots_.write(kImage, image_spec(4)), first);
    EXPECT_EQ(slots_[kImage].bytes.data(), first);
    EXPECT_EQ(slots_[kImage].bytes.size(), 40U);
    EXPECT_TRUE(slots_[kImage].spec == image_spec(4));
    slots_.write(kLabel, fields_[kLabel].spec);
    EXPECT_EQ(share_.needed(), 48U);
}

TEST_F(SampleSlotsTest, write_to_a_place_without_memory_of_their_own) {
    std::array<std::uint8_t, 200> place{};
    slots_.set_place(kImage, place.data());
    EXPECT_EQ(slots_.write(kImage, image_spec(20)), place.data());
    EXPECT_EQ(slots_[kImage].bytes.size(), 200U);
    EXPECT_EQ(share_.needed(), 0U);
    slots_.set_place(kImage, nullptr);
    EXPECT_NE(slots_.write(kImage, image_spec(4)), place.data());
}

TEST_F(SampleSlotsTest, name_the_field_that_is_too_large) {
    slots_.write(kLabel, fields_[kLabel].spec);
    expect_contains(error_of([&] { slots_.write(kImage, image_spec(10)); }),
                    {"3 field 'image' would be [10, 5, 2] uint8, of 100 B", "making its sample would take 108 B in all",
                     "data.memory leaves 100 B for it"});
}

TEST_F(SampleSlotsTest, check_a_picture_before_it_is_made) {
    slots_.check_extent(kImage, {10, 5});
    expect_contains(error_of([&] {
                        slots_.check_extent(kImage, {51, 1});
                    }),
                    {"3 field 'image' would be [51, 1, 2] uint8, of 102 B"});
    EXPECT_EQ(share_.needed(), 0U);
}

TEST_F(SampleSlotsTest, leave_their_memory_to_others_when_they_are_released) {
    slots_.write(kImage, image_spec(6));
    SampleMemory::Share other(memory_);
    EXPECT_THROW(other.grow(60), SampleMemory::OutOfTurn);
    slots_.release();
    share_.give_back();
    other.grow(60);
    share_.begin();
    EXPECT_THROW(slots_.write(kImage, image_spec(6)), SampleMemory::OutOfTurn);
    slots_.write(kImage, image_spec(4));
}

TEST_F(SampleSlotsTest, are_selected_in_the_wanted_order) {
    std::fill_n(slots_.write(kImage, image_spec(1)), 10, std::uint8_t{3});
    std::array<std::uint8_t, 8> elsewhere{};
    slots_.set(kLabel, {fields_[kLabel].spec, elsewhere});
    const std::vector<SlotNumber> order = {kLabel, kImage};
    EXPECT_EQ(slots_.bytes(order), 18U);
    const std::span<const TensorView> selected = slots_.select(order);
    ASSERT_EQ(selected.size(), 2U);
    EXPECT_EQ(selected[0].bytes.data(), elsewhere.data());
    EXPECT_EQ(selected[1].bytes[9], 3U);
    const std::span<const sluice_tensor> views = slots_.select_for_plugin(order);
    ASSERT_EQ(views.size(), 2U);
    EXPECT_EQ(views[0].data, elsewhere.data());
    EXPECT_EQ(views[1].rank, 3);
}

}  // namespace
}  // namespace sluice::data
