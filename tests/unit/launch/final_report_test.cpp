// What the launcher logs after its processes have exited, and its exit code if none of them started.
#include "launch/final_report.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "unit/folder_test.hpp"

namespace sluice::launch {
namespace {

bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

class LaunchFinalReport : public FolderTest {
protected:
    // Processes on hosts a, b, c and d. All but the last have failed, two of them in the same way.
    LaunchFinalReport() {
        const char* const errors[] = {"the disk is full", "no such file", "no such file", ""};
        for (std::size_t rank = 0; rank < processes_.size(); ++rank) {
            processes_[rank].host = std::string(1, static_cast<char>('a' + rank));
            processes_[rank].error = errors[rank];
        }
    }

    std::string log_of_errors(bool was_mpirun_killed) {
        testing::internal::CaptureStderr();
        log_errors(processes_, was_mpirun_killed);
        return testing::internal::GetCapturedStderr();
    }

    std::string log_of_checkpoint(bool is_any_lost) {
        testing::internal::CaptureStderr();
        log_last_checkpoint(processes_, "last.safetensors", is_any_lost);
        return testing::internal::GetCapturedStderr();
    }

    Processes processes_{4};
};

TEST_F(LaunchFinalReport, has_each_error_once) {
    const std::string log = log_of_errors(false);
    EXPECT_TRUE(has(log, "process 1 on b: no such file")) << log;
    EXPECT_FALSE(has(log, "process 2")) << log;
    EXPECT_FALSE(has(log, "process 3")) << log;
}

TEST_F(LaunchFinalReport, has_the_error_of_rank_0_only_if_mpirun_was_killed) {
    EXPECT_FALSE(has(log_of_errors(false), "the disk is full"));
    EXPECT_TRUE(has(log_of_errors(true), "process 0 on a: the disk is full"));
}

TEST_F(LaunchFinalReport, has_the_last_checkpoint_if_it_exists_and_no_error_names_it) {
    EXPECT_EQ(log_of_checkpoint(true), "");
    write("last.safetensors", "weights");
    EXPECT_TRUE(has(log_of_checkpoint(true), "E the last checkpoint is last.safetensors"));
    EXPECT_TRUE(has(log_of_checkpoint(false), "asked to stop; the last checkpoint is last.safetensors"));
    processes_[1].error = "saved last.safetensors, then failed";
    EXPECT_EQ(log_of_checkpoint(true), "");
}

TEST_F(LaunchFinalReport, blames_the_input_of_mpirun_if_it_started_no_process) {
    testing::internal::CaptureStderr();
    EXPECT_EQ(log_why_not_started({.code = 1}, false, 4, " (--host a,b)"), static_cast<int>(Exit::config));
    EXPECT_EQ(log_why_not_started({.code = 1}, true, 4, ""), static_cast<int>(Exit::replica_lost));
    EXPECT_EQ(log_why_not_started({.signal = 9}, false, 4, ""), static_cast<int>(Exit::replica_lost));
    const std::string log = testing::internal::GetCapturedStderr();
    EXPECT_TRUE(has(log, "before any of the 4 processes joined (--host a,b); see its output above")) << log;
    EXPECT_TRUE(has(log, "before all of the 4 processes joined\n")) << log;
}

}  // namespace
}  // namespace sluice::launch
