// A process that is paused, continued and ended with all its children.
#include "diagnose/trial/training_process.hpp"

#include <chrono>
#include <csignal>
#include <thread>

#include "base/error.hpp"
#include "unit/folder_test.hpp"

namespace sluice::diagnose {
namespace {

class DiagnoseProcess : public FolderTest {
protected:
    // Returns how far a shell has counted.
    static std::uintmax_t count(const std::string& file) {
        std::error_code none;
        const std::uintmax_t size = std::filesystem::file_size(file, none);
        return none ? 0 : size;
    }
    static void wait_until_more_than(const std::string& file, std::uintmax_t size) {
        for (int i = 0; i < 2000 && count(file) <= size; ++i) {
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
        EXPECT_GT(count(file), size);
    }
    static void wait_for_exit(TrainingProcess& process) {
        for (int i = 0; i < 2000 && !process.has_exited(); ++i) {
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
        EXPECT_TRUE(process.has_exited());
    }
};

const std::string kCount = "while true; do printf x >> ";
const std::string kPause = "; sleep 0.01; done";

TEST_F(DiagnoseProcess, pauses_with_its_children) {
    TrainingProcess process(
        {.words = {"/bin/sh", "-c", "(" + kCount + "child" + kPause + ") & " + kCount + "own" + kPause},
         .output = "output.txt"});
    wait_until_more_than("own", 3);
    wait_until_more_than("child", 3);
    process.pause();
    const std::uintmax_t own = count("own");
    const std::uintmax_t child = count("child");
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    EXPECT_EQ(count("own"), own);
    EXPECT_LE(count("child"), child + 1);  // it stops a moment later
    process.go_on();
    wait_until_more_than("own", own);
    wait_until_more_than("child", child + 1);
    EXPECT_FALSE(process.has_exited());
}

// The shell starts a program by vfork() all the time, and cannot stop meanwhile.
TEST_F(DiagnoseProcess, pauses_again_and_again_while_it_starts_programs) {
    TrainingProcess process(
        {.words = {"/bin/sh", "-c", "while true; do /bin/true; printf x >> own; done"}, .output = "output.txt"});
    for (int i = 0; i < 100; ++i) {
        process.pause();
        process.go_on();
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    wait_until_more_than("own", count("own"));
    EXPECT_FALSE(process.has_exited());
}

TEST_F(DiagnoseProcess, ends_when_it_is_asked_and_is_killed_if_it_does_not) {
    TrainingProcess willing(
        {.words = {"/bin/sh", "-c", "trap 'exit 3' TERM; echo x > up; while true; do sleep 0.01; done"},
         .output = "output.txt"});
    wait_until_more_than("up", 0);
    willing.pause();
    EXPECT_EQ(willing.finish(10.0), 3);
    TrainingProcess deaf({.words = {"/bin/sh", "-c", "trap '' TERM; echo x > deaf; while true; do sleep 0.01; done"},
                          .output = "output.txt"});
    wait_until_more_than("deaf", 0);
    EXPECT_EQ(deaf.finish(0.1), -1);
}

TEST_F(DiagnoseProcess, reports_its_last_error_and_code) {
    TrainingProcess process(
        {.words = {"/bin/sh", "-c", "echo 'E first error'; echo 'E last error' >&2; echo end; exit 4"},
         .output = "output.txt"});
    wait_for_exit(process);
    EXPECT_EQ(process.code(), 4);
    EXPECT_EQ(process.error(), "last error");
}

TEST_F(DiagnoseProcess, leaves_no_children_although_it_has_exited) {
    {
        TrainingProcess process(
            {.words = {"/bin/sh", "-c", "(" + kCount + "child" + kPause + ") & exit 0"}, .output = "output.txt"});
        wait_for_exit(process);
        wait_until_more_than("child", 3);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    const std::uintmax_t child = count("child");
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    EXPECT_EQ(count("child"), child);
}

}  // namespace
}  // namespace sluice::diagnose
