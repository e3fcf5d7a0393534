#include "report/run_report.hpp"

#include <gtest/gtest.h>

#include <string>

#include "base/error.hpp"
#include "base/files.hpp"
#include "unit/folder_test.hpp"

namespace sluice::report {
namespace {

class RunReport : public FolderTest {
protected:
    static void write_pictures() {
        std::string events;
        for (const char* const name : {"batch_0", "epoch_001", "epoch_002"}) {
            events += std::string(R"({"kind":"samples","epoch":1,"step":1,"seconds":1,"text":")") + name +
                      R"(","scalars":{}})" + "\n";
        }
        write("run/events.jsonl", events);
        write("run/batch_0.png", "first");
        write("run/samples/epoch_001.png", std::string(100, 'x'));
        write("run/samples/epoch_002.png", "last");
    }
    static std::string report(std::uintmax_t picture_bytes) {
        history::RunRecord record("run");
        record.update();
        write_report(record, picture_bytes);
        return read_file("run/report.html");
    }
};

TEST_F(RunReport, embeds_pictures) {
    write_pictures();
    const std::string html = report(1000);
    EXPECT_NE(html.find("data:image/png;base64,Zmlyc3Q="), std::string::npos);
    EXPECT_NE(html.find("data:image/png;base64,bGFzdA=="), std::string::npos);
}

TEST_F(RunReport, leaves_out_pictures_that_do_not_fit_but_not_the_last) {
    write_pictures();
    const std::string html = report(6);
    EXPECT_EQ(html.find("Zmlyc3Q="), std::string::npos);
    EXPECT_NE(html.find("bGFzdA=="), std::string::npos);
}

TEST_F(RunReport, that_cannot_be_written_is_an_error) {
    write("run/events.jsonl", "");
    write("run/report.html/in_the_way", "");
    EXPECT_THROW(report(0), Error);
}

}  // namespace
}  // namespace sluice::report
