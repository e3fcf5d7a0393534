// The log of step times that another process reads meanwhile.
#include "run/account/step_log.hpp"

#include "base/error.hpp"
#include "unit/folder_test.hpp"

namespace sluice::run {
namespace {

using profile::Stage;

class RunStepLog : public FolderTest {};

profile::StageSeconds seconds_of(Stage stage, double value) {
    profile::StageSeconds seconds;
    seconds[stage] = value;
    return seconds;
}

TEST_F(RunStepLog, is_read_while_it_is_written) {
    EXPECT_TRUE(read_step_log("steps.bin").empty());
    StepLog log("steps.bin");
    log.add(Phase::start, 1.5, 0, seconds_of(Stage::other, 0.5));
    log.add(Phase::steps, 2.0, 1, seconds_of(Stage::backward, 0.25));
    const std::vector<StepLogEntry> entries = read_step_log("steps.bin");
    ASSERT_EQ(entries.size(), 2U);
    EXPECT_EQ(entries[0].of(), Phase::start);
    EXPECT_EQ(entries[0].end, 1.5);
    EXPECT_EQ(entries[1].step, 1);
    EXPECT_EQ(entries[1].total(), 0.25);
    EXPECT_EQ(entries[1].seconds[static_cast<std::size_t>(Stage::backward)], 0.25);
    log.add(Phase::steps, 3.0, 2, {});
    ASSERT_EQ(read_step_log("steps.bin", 2).size(), 1U);
    EXPECT_EQ(read_step_log("steps.bin", 2)[0].step, 2);
}

TEST_F(RunStepLog, a_torn_entry_is_not_read) {
    StepLog("steps.bin").add(Phase::steps, 1.0, 1, {});
    std::filesystem::resize_file("steps.bin", std::filesystem::file_size("steps.bin") - 1);
    EXPECT_TRUE(read_step_log("steps.bin").empty());
}

TEST_F(RunStepLog, names_a_file_that_cannot_be_made) {
    try {
        const StepLog log("missing/steps.bin");
        FAIL() << "the file was made";
    } catch (const Error& error) {
        EXPECT_EQ(std::string(error.what()), "missing/steps.bin: cannot be written: No such file or directory");
    }
}

}  // namespace
}  // namespace sluice::run
