// The arena and the points of a window.
#include "profile/memory_use.hpp"

#include <gtest/gtest.h>

#include "unit/profile/made_window.hpp"

namespace sluice::profile {
namespace {

constexpr std::uint64_t kMiB = 1 << 20;

TEST(MemoryUse, finds_the_tensors_at_the_peak) {
    const Window window = cpu_window().window();
    const ArenaUse arena = memory_use(window).arena;
    // input lives in operations 0 to 2, conv2d in 0 to 3, relu in 1 to 2, gradient in 3 to 4.
    EXPECT_EQ(arena.live, (std::vector<std::uint64_t>{12 * kMiB, 20 * kMiB, 20 * kMiB, 10 * kMiB, 2 * kMiB}));
    EXPECT_EQ(arena.peak, 20 * kMiB);
    EXPECT_EQ(arena.peak_operation, 1U);
    EXPECT_EQ(arena.at_peak, (std::vector<std::uint32_t>{1, 2, 0}));
    EXPECT_EQ(arena.size, 20 * kMiB);
    EXPECT_EQ(arena.all, 22 * kMiB);
}

TEST(MemoryUse, takes_tensors_without_an_end) {
    MadeWindow made = cpu_window();
    made.tensor("always", 32 * kMiB, 32 * kMiB, kNone, kNone);
    const ArenaUse arena = memory_use(made.window()).arena;
    EXPECT_EQ(arena.live.front(), 44 * kMiB);
    EXPECT_EQ(arena.live.back(), 34 * kMiB);
    EXPECT_EQ(arena.at_peak.front(), 4U);
}

TEST(MemoryUse, shows_points_at_begin_end_and_peak) {
    MadeWindow made = cpu_window();
    made.point(50, "cache_bytes", 7.0);
    const MemoryUse use = memory_use(made.window());
    ASSERT_EQ(use.points.size(), 2U);
    EXPECT_EQ(use.points[0].name, "resident_bytes");
    EXPECT_EQ(use.points[0].begin, 1000e6);
    EXPECT_EQ(use.points[0].end, 1100e6);
    EXPECT_EQ(use.points[0].peak, 1200e6);
    EXPECT_EQ(use.points[1].peak, 7.0);
}

TEST(MemoryUse, of_an_empty_window) {
    EXPECT_EQ(memory_use(Window{}).arena.peak, 0U);
    Window window;
    window.points.push_back({0.0, 1.0, kNone});
    window.tensors.push_back({"lost", 5, 0, 0, 0});
    EXPECT_TRUE(memory_use(window).points.empty());
    EXPECT_TRUE(memory_use(window).arena.at_peak.empty());
}

}  // namespace
}  // namespace sluice::profile
