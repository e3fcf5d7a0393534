#include "report/report_writer.hpp"

#include <gtest/gtest.h>

#include "base/files.hpp"
#include "unit/folder_test.hpp"

namespace sluice::report {
namespace {

class ReportWriterTest : public FolderTest {};

TEST_F(ReportWriterTest, writes_the_last_report_when_the_run_is_over) {
    ReportWriter writer;
    std::filesystem::create_directory("run");
    writer.begin("run");
    write("run/resolved.toml", "seed = 12345\n");
    writer.finish();
    EXPECT_NE(read_file("run/report.html").find("seed = 12345"), std::string::npos);
}

TEST_F(ReportWriterTest, without_a_run_writes_nothing) {
    ReportWriter writer;
    writer.finish();
    EXPECT_TRUE(std::filesystem::is_empty("."));
}

}  // namespace
}  // namespace sluice::report
