// A run's folder, read while it grows.
#include "history/run_record.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "unit/folder_test.hpp"

namespace sluice::history {
namespace {

class RunRecordTest : public FolderTest {
protected:
    void SetUp() override {
        FolderTest::SetUp();
        std::filesystem::create_directory("deblur-001");
    }

    static void append(const std::string& file, const std::string& line) {
        std::ofstream("deblur-001/" + file, std::ios::app) << line << "\n";
    }
    static void append_step(int step) {
        append("events.jsonl", R"({"kind":"step","epoch":1,"step":)" + std::to_string(step) +
                                   R"(,"seconds":1.0,"text":"","scalars":{"loss":0.5}})");
    }
};

TEST_F(RunRecordTest, grows_with_its_files) {
    RunRecord record("deblur-001");
    EXPECT_EQ(record.name(), "deblur-001");
    EXPECT_FALSE(record.update());
    append_step(1);
    append("usage.csv", "unix_seconds,seconds,cpu");
    append("usage.csv", "1,1,1.25");
    EXPECT_TRUE(record.update());
    EXPECT_FALSE(record.update());
    append_step(2);
    EXPECT_TRUE(record.update());
    EXPECT_EQ(record.history().step(), 2);
    EXPECT_EQ(record.usage().last("cpu"), 1.25);
}

TEST_F(RunRecordTest, starts_over_if_a_resume_has_replaced_the_events) {
    RunRecord record("deblur-001");
    append_step(1);
    append_step(2);
    record.update();
    std::filesystem::remove("deblur-001/events.jsonl");
    append_step(1);
    EXPECT_TRUE(record.update());
    EXPECT_EQ(record.history().step_series("loss")->steps, std::vector<double>{1.0});
}

TEST_F(RunRecordTest, has_the_first_and_the_last_warnings) {
    append("log.txt", "2026-11-26 22:39:50 I all is well");
    for (int i = 0; i < 120; ++i) {
        append("log.txt", "2026-11-26 22:39:51 W number " + std::to_string(i));
    }
    append("log.txt", "2026-11-26 22:39:52 E the end");
    RunRecord record("deblur-001/");
    EXPECT_EQ(record.name(), "deblur-001");
    record.update();
    EXPECT_EQ(record.warning_count(), 121U);
    const std::vector<std::string> warnings = record.warnings();
    ASSERT_EQ(warnings.size(), 100U);
    EXPECT_NE(warnings.front().find("number 0"), std::string::npos);
    EXPECT_NE(warnings[50].find("number 71"), std::string::npos) << warnings[50];
    EXPECT_NE(warnings.back().find("the end"), std::string::npos);
}

}  // namespace
}  // namespace sluice::history
