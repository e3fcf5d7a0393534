#include "base/text/duration.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace sluice {
namespace {

TEST(Duration, has_its_two_largest_units) {
    EXPECT_EQ(format_duration(0.0), "0.0 s");
    EXPECT_EQ(format_duration(9.94), "9.9 s");
    EXPECT_EQ(format_duration(9.96), "10 s");
    EXPECT_EQ(format_duration(59.4), "59 s");
    EXPECT_EQ(format_duration(59.6), "1 min 0 s");
    EXPECT_EQ(format_duration(188.0), "3 min 8 s");
    EXPECT_EQ(format_duration(7500.0), "2 h 5 min");
    EXPECT_EQ(format_duration(3.0 * 86400.0 + 4.0 * 3600.0), "3 d 4 h");
}

TEST(Duration, that_is_not_known_is_a_question_mark) {
    EXPECT_EQ(format_duration(-1.0), "?");
    EXPECT_EQ(format_duration(std::numeric_limits<double>::infinity()), "?");
    EXPECT_EQ(format_duration(std::numeric_limits<double>::quiet_NaN()), "?");
}

}  // namespace
}  // namespace sluice
