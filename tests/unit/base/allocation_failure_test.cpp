// Messages about a failed allocation.
#include "base/allocation_failure.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>

#include "base/machine.hpp"

namespace sluice {
namespace {

TEST(AllocationFailure, names_the_size_of_the_block) {
    EXPECT_STREQ(AllocationFailure(7).what(), "out of memory: cannot allocate a block of 7 B");
    const AllocationFailure large(std::size_t{3} << 29);
    EXPECT_STREQ(large.what(), "out of memory: cannot allocate a block of 1.5 GiB");
    EXPECT_EQ(allocation_text(large), "cannot allocate a block of 1.5 GiB");
    EXPECT_EQ(out_of_memory_text(large), "out of memory: cannot allocate a block of 1.5 GiB" + memory_limits_text());
    EXPECT_STREQ(AllocationFailure(std::numeric_limits<std::size_t>::max()).what(),
                 "out of memory: cannot allocate a block of 17179869184.0 GiB");
}

TEST(AllocationFailure, of_an_unknown_size_is_reported_without_it) {
    EXPECT_EQ(out_of_memory_text(std::bad_alloc()), "out of memory" + memory_limits_text());
    EXPECT_EQ(allocation_text(std::length_error("too long")), "too long");
}

}  // namespace
}  // namespace sluice
