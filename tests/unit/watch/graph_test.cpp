#include "watch/graph.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace sluice::watch {
namespace {

TEST(Bar, is_filled_by_its_share) {
    EXPECT_EQ(bar(0.5, 4, Letters::ascii), "##--");
    EXPECT_EQ(bar(0.0, 4, Letters::ascii), "----");
    EXPECT_EQ(bar(7.0, 4, Letters::ascii), "####");
    EXPECT_EQ(bar(std::nan(""), 4, Letters::ascii), "----");
    EXPECT_EQ(bar(1.0, 2, Letters::blocks), "██");
}

TEST(ColumnsGraph, has_a_column_for_each_group_of_values) {
    EXPECT_EQ(columns_graph({0.0, 0.0, 1.0, 1.0}, 2, 1, true, Letters::blocks), std::vector<std::string>{"▁█"});
    EXPECT_EQ(columns_graph({0.0, 1.0}, 10, 2, true, Letters::blocks), (std::vector<std::string>{" █", "▁█"}));
    EXPECT_EQ(columns_graph({1.0, 2.0, 3.0}, 3, 1, false, Letters::ascii), std::vector<std::string>{".|#"});
}

TEST(ColumnsGraph, leaves_out_what_is_no_number) {
    EXPECT_EQ(columns_graph({std::nan(""), 1.0}, 2, 1, true, Letters::ascii), std::vector<std::string>{" #"});
    EXPECT_EQ(columns_graph({}, 2, 1, true, Letters::ascii), std::vector<std::string>{""});
    EXPECT_EQ(columns_graph({5.0, 5.0}, 2, 1, false, Letters::ascii), std::vector<std::string>{".."});
    EXPECT_EQ(columns_graph({5.0}, 0, 1, false, Letters::ascii), std::vector<std::string>{""});
}

}  // namespace
}  // namespace sluice::watch
