// Stages of the loop that have ended.
#include "profile/stage_history.hpp"

#include <gtest/gtest.h>

namespace sluice::profile {
namespace {

TEST(StageHistory, is_taken_until_a_time) {
    StageHistory history;
    history.add({.stage = Stage::read, .begin = 0.0, .end = 4.0, .moved_to = Stage::preprocess, .moved = 1.0});
    history.add({.stage = Stage::upload, .begin = 4.0, .end = 6.0});
    StageSeconds taken = history.take(2.0);
    EXPECT_DOUBLE_EQ(taken[Stage::read], 1.5);
    EXPECT_DOUBLE_EQ(taken[Stage::preprocess], 0.5);
    taken = history.take(2.0);
    EXPECT_EQ(taken.total(), 0.0);
    taken = history.take(5.0);
    EXPECT_DOUBLE_EQ(taken[Stage::read], 1.5);
    EXPECT_DOUBLE_EQ(taken[Stage::preprocess], 0.5);
    EXPECT_DOUBLE_EQ(taken[Stage::upload], 1.0);
    EXPECT_DOUBLE_EQ(history.take(100.0).total(), 1.0);
}

// No time may be lost, or it would be counted again.
TEST(StageHistory, has_all_time_if_it_is_full) {
    StageHistory history;
    for (int i = 0; i < 20000; ++i) {
        history.add({.stage = Stage::read, .begin = 1.0 * i, .end = i + 1.0});
    }
    EXPECT_DOUBLE_EQ(history.take(1e6).total(), 20000.0);
}

TEST(StageHistory, forgets_all_if_it_is_cleared) {
    StageHistory history;
    history.add({.stage = Stage::read, .begin = 0.0, .end = 1.0});
    history.clear();
    EXPECT_EQ(history.take(2.0).total(), 0.0);
}

}  // namespace
}  // namespace sluice::profile
