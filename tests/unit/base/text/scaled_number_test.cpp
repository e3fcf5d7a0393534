#include "base/text/scaled_number.hpp"

#include <gtest/gtest.h>

namespace sluice {
namespace {

TEST(ScaledNumber, has_a_metric_prefix) {
    EXPECT_EQ(metric_number(0.0), "0");
    EXPECT_EQ(metric_number(999.0), "999");
    EXPECT_EQ(metric_number(11.4e6), "11.4 M");
    EXPECT_EQ(metric_number(1234e15), "1234 P");
}

TEST(ScaledNumber, has_a_unit_of_bytes) {
    EXPECT_EQ(byte_text(std::uint64_t{800}), "800 B");
    EXPECT_EQ(byte_text(1.5 * 0x1p10), "1.5 KiB");
    EXPECT_EQ(byte_text(1023.4 * 0x1p20), "1023 MiB");
    EXPECT_EQ(byte_text(0x1p40), "1.0 TiB");
}

}  // namespace
}  // namespace sluice
