// Rates and times as people write them.
#include "base/text/rate_text.hpp"

#include <gtest/gtest.h>

namespace sluice {
namespace {

TEST(RateText, reads_rates) {
    EXPECT_EQ(parse_rate("25GB/s"), 25e9);
    EXPECT_EQ(parse_rate("1.5 MiB/s"), 1.5 * 0x1p20);
    EXPECT_EQ(parse_rate("100 Gbit/s"), 12.5e9);
    for (const char* wrong :
         {"", "0", "25", "25 GB", "25 Gb/s", "0 GB/s", "-1 GB/s", "inf GB/s", "nan B/s", "1e9 B/s"}) {
        EXPECT_EQ(parse_rate(wrong), std::nullopt) << wrong;
    }
}

TEST(RateText, reads_times) {
    EXPECT_DOUBLE_EQ(*parse_time("10us"), 1e-5);
    EXPECT_DOUBLE_EQ(*parse_time("1.5 ms"), 1.5e-3);
    EXPECT_EQ(parse_time("0 s"), 0.0);
    EXPECT_EQ(parse_time("0"), 0.0);
    for (const char* wrong : {"", "10", "10 sec", "-1 us", "inf s"}) {
        EXPECT_EQ(parse_time(wrong), std::nullopt) << wrong;
    }
}

TEST(RateText, writes_times) {
    EXPECT_EQ(format_time(12.34), "12.3 s");
    EXPECT_EQ(format_time(0.9996), "1 s");
    EXPECT_EQ(format_time(0.0123), "12.3 ms");
    EXPECT_EQ(format_time(4.2e-6), "4.2 us");
}

}  // namespace
}  // namespace sluice
