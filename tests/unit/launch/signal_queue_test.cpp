// Signals that the launcher reads from a queue and does not handle as they come.
#include "launch/signal_queue.hpp"

#include <gtest/gtest.h>
#include <poll.h>
#include <unistd.h>

#include <csignal>

namespace sluice::launch {
namespace {

bool is_readable(const SignalQueue& queue) {
    pollfd wait{.fd = queue.handle(), .events = POLLIN, .revents = 0};
    return ::poll(&wait, 1, 0) == 1;
}

bool is_blocked(int signal) {
    sigset_t mask;
    ::sigprocmask(SIG_BLOCK, nullptr, &mask);
    return ::sigismember(&mask, signal) == 1;
}

TEST(LaunchSignalQueue, has_stop_signals_and_exits_of_children) {
    const SignalQueue queue;
    for (const int signal : {SIGTERM, SIGCHLD}) {
        EXPECT_FALSE(is_readable(queue));
        EXPECT_EQ(queue.next(), 0);
        ::kill(::getpid(), signal);
        EXPECT_TRUE(is_readable(queue));
        EXPECT_EQ(queue.next(), signal);
    }
    EXPECT_EQ(queue.next(), 0);
}

TEST(LaunchSignalQueue, blocks_signals_only_while_it_exists) {
    ASSERT_FALSE(is_blocked(SIGTERM));
    {
        const SignalQueue queue;
        EXPECT_TRUE(is_blocked(SIGTERM));
        EXPECT_TRUE(is_blocked(SIGCHLD));
        EXPECT_EQ(::sigismember(&queue.before(), SIGTERM), 0);
    }
    EXPECT_FALSE(is_blocked(SIGTERM));
    EXPECT_FALSE(is_blocked(SIGCHLD));
}

}  // namespace
}  // namespace sluice::launch
