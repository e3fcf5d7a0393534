// Which signals ask to stop, and which to leave at once.
#include "launch/stop_requests.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

namespace sluice::launch {
namespace {

using Request = StopRequests::Request;

TEST(LaunchStopRequests, stop_at_the_first_signal_and_leave_at_the_second_of_the_user) {
    StopRequests requests;
    EXPECT_EQ(requests.next(), Request::none);
    ::kill(::getpid(), SIGCHLD);
    EXPECT_EQ(requests.next(), Request::none);
    EXPECT_EQ(requests.signal(), 0);
    ::kill(::getpid(), SIGUSR1);
    EXPECT_EQ(requests.next(), Request::stop);
    EXPECT_EQ(requests.signal(), SIGUSR1);
    EXPECT_FALSE(requests.is_by_user());
    ::kill(::getpid(), SIGTERM);
    EXPECT_EQ(requests.next(), Request::none);
    EXPECT_TRUE(requests.is_by_user());
    ::kill(::getpid(), SIGINT);
    EXPECT_EQ(requests.next(), Request::leave_at_once);
    EXPECT_EQ(requests.signal(), SIGUSR1);
}

}  // namespace
}  // namespace sluice::launch
