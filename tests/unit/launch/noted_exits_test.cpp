// The exit code of the launcher after its processes have exited in one order or another.
#include "launch/noted_exits.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace sluice::launch {
namespace {

constexpr int kLost = static_cast<int>(Exit::replica_lost);

TEST(LaunchNotedExits, is_the_first_failure_which_the_others_follow) {
    NotedExits exits;
    EXPECT_FALSE(exits.note_exit(0));
    EXPECT_EQ(exits.failure(), std::nullopt);
    EXPECT_TRUE(exits.note_exit(3));
    EXPECT_FALSE(exits.note_exit(4));
    exits.note_lost_replica();
    EXPECT_FALSE(exits.is_any_lost());
    EXPECT_EQ(exits.failure(), 3);
}

TEST(LaunchNotedExits, is_the_failure_that_another_process_noticed_first) {
    NotedExits exits;
    EXPECT_TRUE(exits.note_exit(kLost));
    EXPECT_FALSE(exits.note_exit(kSignalled + 15));
    EXPECT_EQ(exits.failure(), kLost);
    EXPECT_FALSE(exits.note_exit(3));
    EXPECT_EQ(exits.failure(), 3);
}

TEST(LaunchNotedExits, is_a_lost_replica_even_of_a_training_that_was_stopped) {
    NotedExits exits;
    EXPECT_FALSE(exits.note_exit(kSignalled + 15));
    EXPECT_TRUE(exits.was_stopped());
    EXPECT_EQ(exits.failure(), kSignalled + 15);
    exits.note_lost_replica();
    EXPECT_TRUE(exits.is_any_lost());
    EXPECT_EQ(exits.failure(), kLost);
}

TEST(LaunchNotedExits, is_the_signal_that_one_of_the_stopped_processes_got) {
    for (const bool had_signal_first : {true, false}) {
        NotedExits exits;
        if (had_signal_first) {
            exits.note_signal(1);
            EXPECT_FALSE(exits.note_exit(kSignalled + 1));
            EXPECT_FALSE(exits.note_exit(kSignalled + 15));
        } else {
            EXPECT_FALSE(exits.note_exit(kSignalled + 15));
            exits.note_signal(1);
            EXPECT_FALSE(exits.note_exit(kSignalled + 1));
        }
        EXPECT_EQ(exits.failure(), kSignalled + 1);
        exits.note_signal(10);
        EXPECT_EQ(exits.failure(), kSignalled + 1);
    }
    NotedExits failed;
    EXPECT_TRUE(failed.note_exit(3));
    failed.note_signal(1);
    EXPECT_EQ(failed.failure(), 3);
}

}  // namespace
}  // namespace sluice::launch
