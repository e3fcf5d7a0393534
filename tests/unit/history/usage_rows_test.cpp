#include "history/usage_rows.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace sluice::history {
namespace {

TEST(UsageRows, have_columns_by_name) {
    UsageRows rows;
    rows.add_line("unix_seconds,seconds,cpu");
    rows.add_line("100,1,1.5");
    rows.add_line("101,2,");
    rows.add_line("102,3");  // cut off
    rows.add_line("103,4,0.5");
    EXPECT_EQ(rows.size(), 3U);
    EXPECT_EQ(rows.column("seconds"), (std::vector<double>{1.0, 2.0, 4.0}));
    EXPECT_TRUE(std::isnan(rows.column("cpu")[1]));
    EXPECT_EQ(rows.last("cpu"), 0.5);
    EXPECT_TRUE(rows.column("none").empty());
    EXPECT_TRUE(std::isnan(rows.last("none")));
}

TEST(UsageRows, without_a_header_are_none) {
    UsageRows rows;
    rows.add_line("100,1,1.5");
    EXPECT_EQ(rows.size(), 0U);
    EXPECT_TRUE(std::isnan(rows.last("cpu")));
}

}  // namespace
}  // namespace sluice::history
