// Classes of threads by their names.
#include "observe/usage/thread_class.hpp"

#include <gtest/gtest.h>

namespace sluice::observe {
namespace {

TEST(ThreadClass, follows_the_names_that_threads_have) {
    EXPECT_EQ(class_of_thread("host", "host"), ThreadClass::compute);
    EXPECT_EQ(class_of_thread("replica 12", "host"), ThreadClass::compute);
    EXPECT_EQ(class_of_thread("input 3", "host"), ThreadClass::input);
    EXPECT_EQ(class_of_thread("observers", "host"), ThreadClass::observers);
    EXPECT_EQ(class_of_thread("exchange watch", "host"), ThreadClass::exchange);
    EXPECT_EQ(class_of_thread("NCCL Progress 1", "host"), ThreadClass::exchange);
    EXPECT_EQ(class_of_thread("cuda-EvtHandlr", "host"), ThreadClass::other);
    EXPECT_EQ(class_of_thread("", "host"), ThreadClass::other);
}

}  // namespace
}  // namespace sluice::observe
