// Columns of a device from the figures that it reports.
#include "observe/usage/device_meter.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

namespace sluice::observe {
namespace {

sluice_usage_figures figures(const char* limit) {
    sluice_usage_figures made{};
    made.struct_size = sizeof(made);
    made.busy_share = 0.75;
    made.used_bytes = 4e9;
    made.power_watts = 310.5;
    made.celsius = -1.0;
    made.clock_hertz = 1.98e9;
    std::strncpy(static_cast<char*>(made.limit), limit, sizeof(made.limit) - 1);
    return made;
}

TEST(DeviceMeter, sets_the_columns_of_its_device_and_leaves_unknown_ones) {
    Row row = unknown_row(usage_columns(2));
    set_device_columns(figures("power"), 1, row);
    const std::size_t second = column::kOfDevices + device_column::kCount;
    EXPECT_TRUE(std::isnan(row[column::kOfDevices]));
    EXPECT_EQ(row[second + device_column::kBusy], 0.75);
    EXPECT_EQ(row[second + device_column::kMemoryBytes], 4e9);
    EXPECT_EQ(row[second + device_column::kWatts], 310.5);
    EXPECT_TRUE(std::isnan(row[second + device_column::kCelsius]));
    EXPECT_EQ(row[second + device_column::kClockHertz], 1.98e9);
    EXPECT_EQ(row[second + device_column::kLimitedPower], 1.0);
    EXPECT_EQ(row[second + device_column::kLimitedHeat], 0.0);
    EXPECT_EQ(row[second + device_column::kLimitedOther], 0.0);
}

TEST(DeviceMeter, every_limit_has_a_column) {
    Row row = unknown_row(usage_columns(1));
    const auto limits = [&](const char* limit) {
        set_device_columns(figures(limit), 0, row);
        return std::vector<double>(row.begin() + column::kOfDevices + device_column::kLimitedPower, row.end());
    };
    EXPECT_EQ(limits(""), (std::vector<double>{0.0, 0.0, 0.0}));
    EXPECT_EQ(limits("heat"), (std::vector<double>{0.0, 1.0, 0.0}));
    EXPECT_EQ(limits("hardware"), (std::vector<double>{0.0, 0.0, 1.0}));
}

TEST(DeviceMeter, without_devices_there_is_nothing_to_read) {
    EXPECT_TRUE(usage_readers({}).empty());
    EXPECT_TRUE(usage_readers({nullptr}).empty());
}

}  // namespace
}  // namespace sluice::observe
