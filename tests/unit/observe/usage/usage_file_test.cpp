// usage.csv stays small however long a run is, and survives kills, full disks and removed folders.
#include "observe/usage/usage_file.hpp"

#include <sys/resource.h>

#include <cmath>
#include <csignal>
#include <sstream>

#include "base/files.hpp"
#include "unit/captured_log.hpp"
#include "unit/folder_test.hpp"

namespace sluice::observe {
namespace {

class UsageFileTest : public FolderTest {
protected:
    // A sample of one second, which ends at `time` and has that CPU usage.
    [[nodiscard]] Row sample(double time, double cpu = 1.0) const {
        Row row = unknown_row(columns_);
        row[column::kUnixSeconds] = time;
        row[column::kIntervalSeconds] = 1.0;
        row[column::kCpu] = cpu;
        return row;
    }
    [[nodiscard]] std::vector<Row> rows(const std::string& file = "usage.csv") const {
        std::istringstream text(read_file(file));
        std::vector<Row> all;
        std::string line;
        std::getline(text, line);
        EXPECT_EQ(line + "\n", header_line(columns_));
        while (std::getline(text, line)) {
            all.push_back(parse_line(columns_, line));
            EXPECT_FALSE(all.back().empty()) << line;
        }
        return all;
    }

    std::vector<Column> columns_ = usage_columns(0);
};

TEST_F(UsageFileTest, has_a_row_for_each_sample_at_first) {
    UsageFile file("usage.csv", columns_);
    file.add(sample(1.0));
    file.add(sample(2.0));
    ASSERT_EQ(rows().size(), 2U);  // before the end, so that a kill loses nothing
    EXPECT_EQ(rows()[1][column::kUnixSeconds], 2.0);
}

TEST_F(UsageFileTest, a_long_run_keeps_few_rows_that_cover_all_its_time) {
    UsageFile file("usage.csv", columns_, 100);
    constexpr int kSamples = 10'000;
    for (int i = 1; i <= kSamples; ++i) {
        file.add(sample(i, i % 2 == 0 ? 3.0 : 1.0));
    }
    file.finish();
    const std::vector<Row> all = rows();
    EXPECT_GE(all.size(), 50U);
    EXPECT_LE(all.size(), 100U);
    EXPECT_EQ(file.rows(), all.size());
    double covered = 0.0;
    double cpu_seconds = 0.0;
    for (const Row& row : all) {
        covered += row[column::kIntervalSeconds];
        cpu_seconds += row[column::kIntervalSeconds] * row[column::kCpu];
    }
    EXPECT_EQ(covered, kSamples);
    EXPECT_NEAR(cpu_seconds, 2.0 * kSamples, 1.0);
    EXPECT_EQ(all.back()[column::kUnixSeconds], kSamples);
}

TEST_F(UsageFileTest, a_resumed_run_continues_the_file_at_its_rate) {
    {
        UsageFile file("usage.csv", columns_, 100);
        for (int i = 1; i <= 350; ++i) {
            file.add(sample(i));
        }
        file.finish();
    }
    const std::vector<Row> before = rows();
    UsageFile file("usage.csv", columns_, 100);
    EXPECT_EQ(file.rows(), before.size());
    EXPECT_EQ(file.samples_per_row(), 4U);
    for (int i = 1; i <= 4; ++i) {
        file.add(sample(1000 + i));
    }
    const std::vector<Row> after = rows();
    ASSERT_EQ(after.size(), before.size() + 1);
    EXPECT_EQ(after.front()[column::kUnixSeconds], before.front()[column::kUnixSeconds]);
    EXPECT_EQ(after.back()[column::kUnixSeconds], 1004.0);
}

TEST_F(UsageFileTest, a_line_that_a_kill_cut_off_is_removed) {
    { UsageFile("usage.csv", columns_).add(sample(1.0)); }
    write("usage.csv", read_file("usage.csv") + "12,3");
    UsageFile file("usage.csv", columns_);
    file.add(sample(2.0));
    ASSERT_EQ(rows().size(), 2U);
}

TEST_F(UsageFileTest, a_file_of_other_columns_is_set_aside) {
    const CapturedLog log;
    write("usage.csv", "time,cpu\n1,2\n");
    write("usage.1.csv", "older");
    UsageFile file("usage.csv", columns_);
    file.add(sample(1.0));
    EXPECT_EQ(rows().size(), 1U);
    EXPECT_EQ(read_file("usage.2.csv"), "time,cpu\n1,2\n");
    EXPECT_EQ(read_file("usage.1.csv"), "older");
    EXPECT_NE(log.take().find("usage.2.csv"), std::string::npos);
}

TEST_F(UsageFileTest, an_empty_file_gets_a_header) {
    write("usage.csv", "");
    UsageFile("usage.csv", columns_).add(sample(1.0));
    EXPECT_EQ(rows().size(), 1U);
}

TEST_F(UsageFileTest, a_removed_folder_is_warned_of_once_and_used_again_when_it_is_back) {
    const CapturedLog log;
    std::filesystem::create_directory("run");
    UsageFile file("run/usage.csv", columns_);
    file.add(sample(1.0));
    std::filesystem::remove_all("run");
    file.add(sample(2.0));
    file.add(sample(3.0));
    const std::string text = log.take();
    EXPECT_NE(text.find("run/usage.csv cannot be written: No such file or directory"), std::string::npos) << text;
    EXPECT_EQ(text.find("cannot be written"), text.rfind("cannot be written")) << text;
    std::filesystem::create_directory("run");
    file.add(sample(4.0));
    ASSERT_EQ(rows("run/usage.csv").size(), 1U);
    EXPECT_EQ(rows("run/usage.csv")[0][column::kUnixSeconds], 4.0);
}

// The limit on the size of files has the effect of a full disk: a write is partial or fails.
TEST_F(UsageFileTest, a_full_disk_loses_rows_but_leaves_no_torn_one) {
    UsageFile file("usage.csv", columns_);
    file.add(sample(1.0));
    const auto size = static_cast<rlim_t>(std::filesystem::file_size("usage.csv"));
    rlimit before{};
    ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
    auto* const handler = ::signal(SIGXFSZ, SIG_IGN);
    const rlimit full{size + 5, before.rlim_max};
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &full), 0);
    testing::internal::CaptureStderr();
    file.add(sample(2.0));
    file.add(sample(3.0));
    const std::string text = testing::internal::GetCapturedStderr();
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
    ::signal(SIGXFSZ, handler);
    EXPECT_NE(text.find("usage.csv cannot be written"), std::string::npos) << text;
    EXPECT_EQ(text.find("cannot be written"), text.rfind("cannot be written")) << text;
    EXPECT_EQ(rows().size(), 1U);
    file.add(sample(4.0));
    ASSERT_EQ(rows().size(), 2U);
    EXPECT_EQ(rows()[1][column::kUnixSeconds], 4.0);
}

TEST_F(UsageFileTest, what_cannot_be_read_is_left_as_it_is) {
    const CapturedLog log;
    std::filesystem::create_directory("usage.csv");
    UsageFile file("usage.csv", columns_);
    file.add(sample(1.0));
    file.finish();
    EXPECT_TRUE(std::filesystem::is_directory("usage.csv"));
    EXPECT_NE(log.take().find("usage.csv"), std::string::npos);
}

}  // namespace
}  // namespace sluice::observe
