// Rows of usage.csv: their columns, their text, and how two become one.
#include "observe/usage/row.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace sluice::observe {
namespace {

class RowTest : public testing::Test {
protected:
    Row row(double interval) const {
        Row made = unknown_row(columns_);
        made[column::kIntervalSeconds] = interval;
        return made;
    }

    std::vector<Column> columns_ = usage_columns(2);
};

TEST_F(RowTest, places_and_names_of_columns_agree) {
    const auto name = [&](std::size_t place) { return columns_.at(place).name; };
    EXPECT_EQ(name(column::kCpu), "cpu");
    EXPECT_EQ(name(column::kCpuOfClass), "cpu_compute");
    EXPECT_EQ(name(column::kRunQueue), "run_queue");
    EXPECT_EQ(name(column::kResidentBytes), "resident_bytes");
    EXPECT_EQ(name(column::kInvoluntarySwitches), "involuntary_switches");
    EXPECT_EQ(name(column::kBatchesReady), "batches_ready");
    EXPECT_EQ(name(column::kSamplerCpu), "sampler_cpu");
    EXPECT_EQ(name(column::kOfDevices), "gpu0_busy");
    EXPECT_EQ(name(column::kOfDevices + device_column::kCount + device_column::kLimitedOther), "gpu1_limited_other");
    EXPECT_EQ(columns_.size(), column::kOfDevices + 2 * device_column::kCount);
    std::set<std::string> names;
    for (const Column& one : columns_) {
        EXPECT_TRUE(names.insert(one.name).second) << one.name;
    }
}

TEST_F(RowTest, two_rows_become_one_by_the_rule_of_each_column) {
    Row first = row(1.0);
    first[column::kUnixSeconds] = 10.0;
    first[column::kCpu] = 2.0;
    first[column::kResidentBytes] = 300.0;
    first[column::kBatchesReady] = 4.0;
    Row later = row(3.0);
    later[column::kUnixSeconds] = 13.0;
    later[column::kCpu] = 6.0;
    later[column::kResidentBytes] = 200.0;
    later[column::kRunQueue] = 0.5;
    merge_row(columns_, first, later);
    EXPECT_EQ(first[column::kUnixSeconds], 13.0);
    EXPECT_EQ(first[column::kIntervalSeconds], 4.0);
    EXPECT_EQ(first[column::kCpu], 5.0);
    EXPECT_EQ(first[column::kResidentBytes], 300.0);
    EXPECT_EQ(first[column::kBatchesReady], 4.0);
    EXPECT_EQ(first[column::kRunQueue], 0.5);
    EXPECT_TRUE(std::isnan(first[column::kThrottled]));
}

TEST_F(RowTest, text_and_numbers_convert_into_each_other) {
    Row written = row(1.0);
    written[column::kUnixSeconds] = 1790000000.125;
    written[column::kCpu] = 1.5;
    written[column::kResidentBytes] = 123456789012.0;
    written[column::kMinorFaults] = 0.0;
    written[column::kSamplerCpu] = 0.00025;
    std::string text;
    append_line(columns_, written, text);
    EXPECT_TRUE(text.starts_with("1790000000.125,,1,,1.5,")) << text;
    EXPECT_NE(text.find(",123456789012,0,"), std::string::npos) << text;
    ASSERT_TRUE(text.ends_with("\n"));
    text.pop_back();
    const Row read = parse_line(columns_, text);
    ASSERT_EQ(read.size(), columns_.size());
    for (std::size_t i = 0; i < read.size(); ++i) {
        EXPECT_TRUE(read[i] == written[i] || (std::isnan(read[i]) && std::isnan(written[i]))) << columns_[i].name;
    }
}

TEST_F(RowTest, a_line_with_other_cells_is_no_row) {
    EXPECT_TRUE(parse_line(columns_, "1,2,3").empty());
    EXPECT_TRUE(parse_line(columns_, std::string(columns_.size(), ',')).empty());
    EXPECT_TRUE(parse_line(columns_, "").empty());
    const Row unknown = parse_line(columns_, "x" + std::string(columns_.size() - 1, ','));
    ASSERT_EQ(unknown.size(), columns_.size());
    EXPECT_TRUE(std::isnan(unknown[0]));
}

TEST_F(RowTest, the_header_has_a_name_for_each_column) {
    const std::string header = header_line(columns_);
    EXPECT_TRUE(header.starts_with("unix_seconds,seconds,interval_seconds,step,cpu,cpu_compute,cpu_input,")) << header;
    EXPECT_EQ(parse_line(columns_, header.substr(0, header.size() - 1)).size(), columns_.size());
}

}  // namespace
}  // namespace sluice::observe
