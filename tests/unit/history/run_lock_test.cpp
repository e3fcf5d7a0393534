#include "history/run_lock.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>

#include "unit/folder_test.hpp"

namespace sluice::history {
namespace {

class RunLock : public FolderTest {};

TEST_F(RunLock, is_held_until_it_is_closed) {
    EXPECT_FALSE(is_alive("."));
    const int lock = lock_run(".");
    ASSERT_GE(lock, 0);
    EXPECT_TRUE(is_alive("."));
    ::close(lock);
    EXPECT_FALSE(is_alive("."));
}

TEST_F(RunLock, is_refused_while_a_run_holds_it) {
    const int lock = lock_run(".");
    ASSERT_GE(lock, 0);
    errno = 0;
    EXPECT_EQ(lock_run("."), -1);
    EXPECT_EQ(errno, EAGAIN);
    ::close(lock);
}

TEST_F(RunLock, of_a_folder_that_is_missing_is_an_error) {
    EXPECT_EQ(lock_run("missing"), -1);
    EXPECT_EQ(errno, ENOENT);
    EXPECT_FALSE(is_alive("missing"));
}

}  // namespace
}  // namespace sluice::history
