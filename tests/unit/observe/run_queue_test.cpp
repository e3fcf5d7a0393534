// The time that a thread waited for a core, as the kernel counts it.
#include "observe/run_queue.hpp"

#include <gtest/gtest.h>

namespace sluice::observe {
namespace {

TEST(RunQueue, is_the_second_number) {
    EXPECT_DOUBLE_EQ(queue_seconds_in("1200 2500000000 7\n").value(), 2.5);
    EXPECT_DOUBLE_EQ(queue_seconds_in("1 0 1").value(), 0.0);
}

TEST(RunQueue, is_unknown_if_the_kernel_counts_nothing) {
    for (const char* const text : {"", "0 0 0\n", "12", "-", "x 1 2"}) {
        EXPECT_FALSE(queue_seconds_in(text).has_value()) << text;
    }
}

TEST(RunQueue, of_this_thread_never_shrinks) {
    const std::optional<double> first = thread_queue_seconds();
    if (!first) {
        GTEST_SKIP() << "the kernel has no schedstat";
    }
    EXPECT_GE(*first, 0.0);
    EXPECT_GE(thread_queue_seconds().value(), *first);
}

}  // namespace
}  // namespace sluice::observe
