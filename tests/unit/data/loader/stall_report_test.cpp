// Batches that do not come: warnings, and when the loader gives up.
#include "data/loader/stall_report.hpp"

#include "unit/data/data_test_chain.hpp"

namespace sluice::data {
namespace {

// An epoch has three batches.
class StallReportTest : public testing::Test {
protected:
    // Returns what is logged after so many seconds without batch 4, which is the second one of the second epoch.
    static std::string log_of(StallReport& report, double seconds) {
        testing::internal::CaptureStderr();
        report.stalled(4, seconds);
        return testing::internal::GetCapturedStderr();
    }

    LoaderOptions options_{.stall_seconds = 2.0, .most_stalls = 3, .fields = {}};
    BatchLayout layout_{10, 4};
    LoaderMeter meter_{{"numbers"}, 0, {true}};
};

TEST_F(StallReportTest, warns_of_the_batch_by_its_number_in_the_epoch) {
    StallReport report("data.train", options_, layout_, meter_, false);
    expect_contains(log_of(report, 2.5),
                    {"W data.train: waiting for batch 1 for 2.5 s: no thread is working on a sample"});
    EXPECT_FALSE(report.has_given_up());
}

TEST_F(StallReportTest, gives_up_after_the_most_stalls) {
    StallReport report("data.train", options_, layout_, meter_, false);
    log_of(report, 5.5);
    EXPECT_FALSE(report.has_given_up());
    expect_contains(error_of([&] { report.stalled(4, 6.25); }),
                    {"3 data.train: the input", " has not delivered batch 1 for 6 s: "});
    EXPECT_TRUE(report.has_given_up());
}

TEST_F(StallReportTest, never_gives_up_without_a_limit) {
    options_.most_stalls = 0;
    StallReport report("data.train", options_, layout_, meter_, false);
    expect_contains(log_of(report, 1000.0), {"waiting for batch 1 for 1000 s"});
    EXPECT_FALSE(report.has_given_up());
}

}  // namespace
}  // namespace sluice::data
