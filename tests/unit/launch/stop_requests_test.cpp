// Signals that request a stop, and signals that request to exit at once.
#include "launch/stop_requests.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>

#include "base/signals/stop_signals.hpp"

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

// The launcher handles the signals that its processes handle, so that none of them kills it.
TEST(LaunchStopRequests, are_made_by_each_signal_that_stops_a_training) {
    for (const int signal : {SIGHUP, SIGINT, SIGTERM, SIGUSR1, SIGUSR2, SIGXCPU}) {
        StopRequests requests;
        ::kill(::getpid(), signal);
        EXPECT_EQ(requests.next(), Request::stop) << signal;
        EXPECT_EQ(requests.signal(), signal);
        EXPECT_EQ(requests.is_by_user(), is_of_user(signal)) << signal;
    }
    EXPECT_EQ(stop_signals().size(), 6U);
}

TEST(LaunchStopRequests, are_not_made_by_a_hangup_under_nohup) {
    const auto before = std::signal(SIGHUP, SIG_IGN);
    StopRequests requests;
    ::kill(::getpid(), SIGHUP);
    EXPECT_EQ(requests.next(), Request::none);
    EXPECT_EQ(stop_signals().size(), 5U);
    std::signal(SIGHUP, before);
}

}  // namespace
}  // namespace sluice::launch
