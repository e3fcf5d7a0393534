// Figures of the process, from files as the kernel writes them and from this process.
#include "observe/usage/process_meter.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <fstream>

#include "observe/cpu_time.hpp"
#include "unit/folder_test.hpp"

namespace sluice::observe {
namespace {

class ProcessMeterTest : public FolderTest {
protected:
    static void files(int read, int received, int throttled) {
        write("self/statm", "1000 250 90 20 0 300 0\n");
        write("self/io",
              "rchar: 9\nread_bytes: " + std::to_string(read) + "\nwrite_bytes: 4096\ncancelled_write_bytes: 7\n");
        write("self/net/dev",
              "Inter-|   Receive |  Transmit\n face |bytes    packets|bytes\n"
              "    lo:  5000 1 0 0 0 0 0 0  5000 1 0 0 0 0 0 0\n"
              "  eth0:  " +
                  std::to_string(received) +
                  " 1 0 0 0 0 0 0  70 1 0 0 0 0 0 0\n"
                  "  eth1:  100 1 0 0 0 0 0 0  30 1 0 0 0 0 0 0\n");
        write("v1/cpu.stat", "nr_periods 0\nnr_throttled 0\nthrottled_time " + std::to_string(throttled) + "\n");
    }
    static ProcFolders folders() { return {.self = "self", .cgroups = {"v1"}}; }

    ProcBuffer buffer_{};
    Row row_ = unknown_row(usage_columns(0));
};

TEST_F(ProcessMeterTest, turns_counters_into_rates) {
    files(1000, 400, 0);
    ProcessMeter meter(folders());
    files(5000, 1400, 500'000'000);
    meter.read(2.0, buffer_, row_);
    EXPECT_EQ(row_[column::kDiskReadBytes], 2000.0);
    EXPECT_EQ(row_[column::kDiskWriteBytes], 0.0);
    EXPECT_EQ(row_[column::kNetworkInBytes], 500.0);
    EXPECT_EQ(row_[column::kNetworkOutBytes], 0.0);
    EXPECT_EQ(row_[column::kThrottled], 0.25);
    EXPECT_EQ(row_[column::kResidentBytes], 250.0 * static_cast<double>(::sysconf(_SC_PAGESIZE)));
    EXPECT_EQ(meter.missing(), "");
}

TEST_F(ProcessMeterTest, reads_cgroups_of_version_2_and_adds_those_of_parents) {
    files(0, 0, 0);
    write("v2/cpu.stat", "usage_usec 5\nnr_throttled 0\nthrottled_usec 100000\n");
    write("v2/own/cpu.stat", "usage_usec 5\nnr_throttled 0\nthrottled_usec 0\n");
    ProcessMeter meter({.self = "self", .cgroups = {"v2/own", "v2"}});
    write("v2/cpu.stat", "usage_usec 5\nnr_throttled 0\nthrottled_usec 300000\n");
    write("v2/own/cpu.stat", "usage_usec 5\nnr_throttled 0\nthrottled_usec 50000\n");
    meter.read(1.0, buffer_, row_);
    EXPECT_NEAR(row_[column::kThrottled], 0.25, 1e-9);
}

TEST_F(ProcessMeterTest, what_cannot_be_read_is_unknown_and_named) {
    ProcessMeter meter({.self = "none", .cgroups = {}});
    meter.read(1.0, buffer_, row_);
    EXPECT_EQ(meter.missing(), "none/statm, none/io, none/net/dev");
    for (const std::size_t place :
         {column::kResidentBytes, column::kDiskReadBytes, column::kNetworkInBytes, column::kThrottled}) {
        EXPECT_TRUE(std::isnan(row_[place])) << place;
    }
    EXPECT_FALSE(std::isnan(row_[column::kCpu]));
}

TEST_F(ProcessMeterTest, files_that_are_cut_off_are_no_numbers) {
    files(0, 0, 0);
    ProcessMeter meter(folders());
    write("self/statm", "1000");
    write("self/io", "read_bytes:");
    write("self/net/dev", "eth0");
    write("v1/cpu.stat", "throttled_time x\n");
    meter.read(1.0, buffer_, row_);
    EXPECT_TRUE(std::isnan(row_[column::kResidentBytes]));
    EXPECT_TRUE(std::isnan(row_[column::kDiskReadBytes]));
    EXPECT_TRUE(std::isnan(row_[column::kNetworkInBytes]));
    EXPECT_TRUE(std::isnan(row_[column::kThrottled]));
}

TEST_F(ProcessMeterTest, measures_this_process) {
    ProcessMeter meter;
    const double start = process_cpu_seconds();
    std::vector<char> touched(64U << 20);
    for (std::size_t i = 0; i < touched.size(); i += 4096) {
        touched[i] = 1;
    }
    while (process_cpu_seconds() - start < 0.05) {
    }
    const double used = process_cpu_seconds() - start;
    meter.read(0.1, buffer_, row_);
    EXPECT_GE(row_[column::kCpu], used / 0.1);
    EXPECT_LT(row_[column::kCpu], (used + 0.05) / 0.1);
    EXPECT_GE(row_[column::kResidentBytes], 64e6);
    EXPECT_GT(row_[column::kMinorFaults], 0.0);
    EXPECT_GE(row_[column::kInvoluntarySwitches], 0.0);
    EXPECT_EQ(touched[0], 1);
}

}  // namespace
}  // namespace sluice::observe
