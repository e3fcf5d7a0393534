// Messages about a plugin whose load does not return, and how the process exits. Each test runs in a process of its
// own, and only that process is watched.
#include <gtest/gtest.h>
#include <unistd.h>

#include "registry/loading/crash_report.hpp"
#include "registry/loading/load_watch.hpp"

namespace sluice::registry {
namespace {

using std::chrono::milliseconds;

// Makes a call that takes `time`, with a warning after 50 ms and an exit after 300 ms. Then it exits with code 0.
[[noreturn]] void load_for(std::chrono::milliseconds time, bool in_watched_process = true) {
    if (in_watched_process) {
        install_crash_handlers();
    }
    PluginManifest manifest;
    manifest.id = "test.slow";
    manifest.version = "1.2";
    {
        const LoadWatch watch("slow.so", manifest, "open()", {milliseconds(50), milliseconds(300)});
        std::this_thread::sleep_for(time);
    }
    ::_exit(0);
}

class LoadWatchDeathTest : public testing::Test {
protected:
    LoadWatchDeathTest() { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

TEST_F(LoadWatchDeathTest, exits_the_process_if_a_call_never_returns) {
    EXPECT_EXIT(
        load_for(std::chrono::hours(1)), testing::ExitedWithCode(6),
        "^W slow.so: open\\(\\) of plugin test.slow 1.2 has not returned for 0.05 s; the process exits if it takes "
        "0.3 s\nE slow.so: open\\(\\) of plugin test.slow 1.2 did not return within 0.3 s, so the process exits; "
        ".*\n$");
}

TEST_F(LoadWatchDeathTest, names_one_that_takes_long) {
    EXPECT_EXIT(load_for(milliseconds(150)), testing::ExitedWithCode(0), "^W slow.so: [^\n]*\n$");
}

TEST_F(LoadWatchDeathTest, says_nothing_of_one_that_returns) {
    EXPECT_EXIT(load_for(milliseconds(0)), testing::ExitedWithCode(0), "^$");
}

TEST_F(LoadWatchDeathTest, leaves_other_processes_alone) {
    EXPECT_EXIT(load_for(milliseconds(500), false), testing::ExitedWithCode(0), "^$");
}

}  // namespace
}  // namespace sluice::registry
