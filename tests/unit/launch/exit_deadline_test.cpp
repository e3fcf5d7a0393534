// By when the processes of a job must exit, and which reason they get.
#include "launch/exit_deadline.hpp"

#include <gtest/gtest.h>

#include <chrono>

#include "launch/messages.hpp"
#include "launch/timeouts.hpp"

namespace sluice::launch {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

const Clock::time_point kNow{};

TEST(LaunchExitDeadline, has_the_first_reason_and_the_time_since_it) {
    ExitDeadline deadline;
    EXPECT_TRUE(deadline.is_orderly());
    EXPECT_FALSE(deadline.is_saver(0));
    EXPECT_TRUE(deadline.begin({.saver = 1, .code = 3, .reason = "process 2 has failed"}, kNow - seconds(3), kNow));
    EXPECT_FALSE(deadline.begin({.saver = 0, .reason = "process 3 is lost"}, kNow, kNow));
    EXPECT_FALSE(deadline.is_orderly());
    EXPECT_TRUE(deadline.is_saver(1));
    EXPECT_FALSE(deadline.is_saver(0));
    const LostReplicaNotice notice = deadline.notice(kNow + milliseconds(500));
    EXPECT_EQ(notice.saver, 1U);
    EXPECT_EQ(notice.time, milliseconds(4500));
    EXPECT_EQ(notice.code, 3);
    EXPECT_EQ(notice.reason, "process 2 has failed");
    EXPECT_FALSE(deadline.is_overdue(kNow + kExitTimeout - seconds(3)));
    EXPECT_TRUE(deadline.is_overdue(kNow + kExitTimeout - seconds(2)));
}

TEST(LaunchExitDeadline, has_the_earliest_deadline_until_a_process_was_killed) {
    ExitDeadline deadline;
    EXPECT_FALSE(deadline.is_overdue(kNow + seconds(100)));
    deadline.leave_within(seconds(30), kNow);
    deadline.leave_within(seconds(40), kNow);
    EXPECT_FALSE(deadline.is_overdue(kNow + seconds(29)));
    EXPECT_TRUE(deadline.is_overdue(kNow + seconds(30)));
    EXPECT_TRUE(deadline.is_orderly());
    deadline.extend(kNow + seconds(30));
    EXPECT_FALSE(deadline.is_overdue(kNow + seconds(31)));
    deadline.begin_at_once(kNow + seconds(31));
    EXPECT_TRUE(deadline.is_overdue(kNow + seconds(31)));
    EXPECT_FALSE(deadline.is_orderly());
    EXPECT_FALSE(deadline.has_reason());
}

}  // namespace
}  // namespace sluice::launch
