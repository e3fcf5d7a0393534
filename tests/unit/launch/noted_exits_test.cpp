// The exit code of the launcher after its processes have exited in one order or another.
#include "launch/noted_exits.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace sluice::launch {
namespace {

constexpr int kLost = static_cast<int>(Exit::replica_lost);

TEST(LaunchOutcome, is_the_first_failure_which_the_others_follow) {
    NotedExits outcome;
    EXPECT_FALSE(outcome.note_exit(0));
    EXPECT_EQ(outcome.failure(), std::nullopt);
    EXPECT_TRUE(outcome.note_exit(3));
    EXPECT_FALSE(outcome.note_exit(4));
    outcome.note_loss();
    EXPECT_FALSE(outcome.is_any_lost());
    EXPECT_EQ(outcome.failure(), 3);
}

TEST(LaunchOutcome, is_the_failure_that_another_process_noticed_first) {
    NotedExits outcome;
    EXPECT_TRUE(outcome.note_exit(kLost));
    EXPECT_FALSE(outcome.note_exit(kSignalled + 15));
    EXPECT_EQ(outcome.failure(), kLost);
    EXPECT_FALSE(outcome.note_exit(3));
    EXPECT_EQ(outcome.failure(), 3);
}

TEST(LaunchOutcome, is_a_loss_even_of_a_training_that_was_stopped) {
    NotedExits outcome;
    EXPECT_FALSE(outcome.note_exit(kSignalled + 15));
    EXPECT_TRUE(outcome.was_stopped());
    EXPECT_EQ(outcome.failure(), kSignalled + 15);
    outcome.note_loss();
    EXPECT_TRUE(outcome.is_any_lost());
    EXPECT_EQ(outcome.failure(), kLost);
}

TEST(LaunchOutcome, is_the_signal_that_one_of_the_stopped_processes_got) {
    for (const bool had_signal_first : {true, false}) {
        NotedExits outcome;
        if (had_signal_first) {
            outcome.note_signal(1);
            EXPECT_FALSE(outcome.note_exit(kSignalled + 1));
            EXPECT_FALSE(outcome.note_exit(kSignalled + 15));
        } else {
            EXPECT_FALSE(outcome.note_exit(kSignalled + 15));
            outcome.note_signal(1);
            EXPECT_FALSE(outcome.note_exit(kSignalled + 1));
        }
        EXPECT_EQ(outcome.failure(), kSignalled + 1);
        outcome.note_signal(10);
        EXPECT_EQ(outcome.failure(), kSignalled + 1);
    }
    NotedExits failed;
    EXPECT_TRUE(failed.note_exit(3));
    failed.note_signal(1);
    EXPECT_EQ(failed.failure(), 3);
}

}  // namespace
}  // namespace sluice::launch
