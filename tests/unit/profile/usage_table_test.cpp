// Reading usage.csv, also one that was cut off.
#include "profile/usage_table.hpp"

#include <gtest/gtest.h>

namespace sluice::profile {
namespace {

const std::string kTable =
    "unix_seconds,seconds,step,cpu,resident_bytes\n"
    "1790000000,1.000,3,1.9,1000\n"
    "1790000001,2.000,5,1.9,1100\n"
    "1790000002,3.000,8,1.9,1200\n";

TEST(UsageTable, has_time_memory_and_steps) {
    const MemorySeries series = read_memory_series(kTable);
    EXPECT_EQ(series.seconds, (std::vector<double>{1, 2, 3}));
    EXPECT_EQ(series.bytes, (std::vector<double>{1000, 1100, 1200}));
    EXPECT_EQ(series.steps, (std::vector<double>{3, 5, 8}));
}

TEST(UsageTable, leaves_out_what_is_no_whole_line) {
    for (std::size_t size = 0; size <= kTable.size(); ++size) {
        const MemorySeries series = read_memory_series(kTable.substr(0, size));
        const auto lines = std::count(kTable.begin(), kTable.begin() + static_cast<std::ptrdiff_t>(size), '\n');
        EXPECT_EQ(series.bytes.size(), static_cast<std::size_t>(std::max<std::ptrdiff_t>(lines - 1, 0))) << size;
    }
    const MemorySeries series =
        read_memory_series(kTable + "1790000003,,9,1.9,1300\n1,4,9\n\n1,5,9,1,12x\n1,6,9,1,7\r\n");
    EXPECT_EQ(series.bytes, (std::vector<double>{1000, 1100, 1200, 7}));
}

TEST(UsageTable, begins_again_where_a_run_resumed) {
    const MemorySeries series = read_memory_series(kTable + "1790000009,0.500,8,1.9,900\n1790000010,1.5,9,1.9,950\n");
    EXPECT_EQ(series.bytes, (std::vector<double>{900, 950}));
    EXPECT_EQ(series.steps, (std::vector<double>{8, 9}));
}

TEST(UsageTable, needs_its_columns) {
    EXPECT_TRUE(read_memory_series("seconds,step\n1,2\n").bytes.empty());
    EXPECT_EQ(read_memory_series("resident_bytes,seconds\n5,2\n").bytes.size(), 1U);
    EXPECT_TRUE(read_memory_series("").seconds.empty());
}

}  // namespace
}  // namespace sluice::profile
