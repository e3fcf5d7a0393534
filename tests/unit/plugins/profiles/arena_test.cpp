// Tensors in the arena over time.
#include "profile/arena.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "unit/plugins/profiles/recorded_window.hpp"

namespace sluice::observers::tests {
namespace {

TEST(Arena, TensorsLiveFromTheirFirstOperationToTheirLast) {
    const RecordedWindow recorded({.last_step = 20});
    const auto changes = arena_changes(Window(recorded.profile()));
    ASSERT_EQ(changes.size(), 4U);
    const std::int64_t forward = 3'000'000 + 1'000'000 + 200'000;
    EXPECT_EQ(changes[0].time_ns, forward);
    EXPECT_EQ(changes[0].tensor, 0U);
    EXPECT_EQ(changes[1].time_ns, forward + 2'000'000);
    EXPECT_EQ(changes[1].live_bytes, 5'000'000U);
    const std::int64_t backward_end = forward + 2'000'000 + 2 * 400'000 + 4'000'000;
    EXPECT_EQ(changes[3].time_ns, backward_end);
    EXPECT_EQ(changes[3].live_bytes, 0U);
    EXPECT_EQ(arena_bytes(Window(recorded.profile())), 5'000'000U);
}

// The host only enqueues. The memory is in use while the device works.
TEST(Arena, TimesOfADeviceAreItsOwn) {
    const RecordedWindow recorded({.last_step = 20, .has_stream = true});
    const auto changes = arena_changes(Window(recorded.profile()));
    ASSERT_EQ(changes.size(), 4U);
    EXPECT_EQ(changes[0].time_ns, 4'000'000 + 200'000);
    EXPECT_EQ(changes[3].time_ns, 4'200'000 + 6'800'000);
}

TEST(Arena, FragmentationIsTheFreeMemoryOutsideOfTheLargestBlock) {
    RecordedWindow recorded({.last_step = 20});
    // 1 MB free before, 2 MB free between, 1 MB free behind the two tensors, while the third is not there.
    const sluice_profile_tensor tensors[] = {{{"a", 1}, 1'000'000, 1'000'000, 0, 3},
                                             {{"b", 1}, 1'000'000, 4'000'000, 1, 3},
                                             {{"c", 1}, 1'000'000, 5'000'000, 4, 4}};
    recorded.profile().tensors = tensors;
    recorded.profile().tensor_count = 3;
    const auto changes = arena_changes(Window(recorded.profile()));
    ASSERT_EQ(changes.size(), 6U);
    EXPECT_DOUBLE_EQ(changes[0].fragmentation, 1.0 - 4.0 / 5.0);
    EXPECT_DOUBLE_EQ(changes[1].fragmentation, 1.0 - 2.0 / 4.0);
    EXPECT_DOUBLE_EQ(changes[3].fragmentation, 0.0);
}

TEST(Arena, TensorsOfOperationsThatDidNotRunAreLeftOut) {
    RecordedWindow recorded({});
    const sluice_profile_tensor tensor{{"a", 1}, 1, 0, 0, SLUICE_NONE};
    recorded.profile().tensors = &tensor;
    recorded.profile().tensor_count = 1;
    EXPECT_TRUE(arena_changes(Window(recorded.profile())).empty());
}

}  // namespace
}  // namespace sluice::observers::tests
