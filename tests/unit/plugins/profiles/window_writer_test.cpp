// Files of windows: where they are, and what happens if they cannot be written.
#include "profile/window_writer.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "files/output_file.hpp"
#include "sluice/sdk/guard.hpp"
#include "trace/trace.hpp"
#include "unit/folder_test.hpp"
#include "unit/plugins/profiles/observer_calls.hpp"
#include "unit/plugins/profiles/parsed_xspace.hpp"
#include "unit/plugins/profiles/recorded_window.hpp"
#include "xprof/xprof.hpp"

namespace sluice::observers::tests {
namespace {

namespace fs = std::filesystem;

class WindowWriterTest : public FolderTest {
protected:
    template <class Observer>
    static std::unique_ptr<sdk::Observer> begin_run() {
        auto observer = open_observer<Observer>();
        fs::create_directories("run");
        send(*observer, SLUICE_EVENT_RUN_BEGIN, "run");
        return observer;
    }
    static std::vector<std::string> files() {
        std::vector<std::string> found;
        for (const auto& entry : fs::recursive_directory_iterator("run")) {
            if (entry.is_regular_file()) {
                found.push_back(entry.path().lexically_relative("run").string());
            }
        }
        std::sort(found.begin(), found.end());
        return found;
    }
    static std::string trace_name() { return nlohmann::json::parse(read_file("run/trace.json")).at("traceName"); }
};

TEST_F(WindowWriterTest, ATraceHasAFolderForEachWindow) {
    const auto trace = begin_run<Trace>();
    const RecordedWindow first({});
    const RecordedWindow second({.first_step = 50, .last_step = 52});
    send(*trace, SLUICE_EVENT_PROFILE, "", &first.profile());
    EXPECT_EQ(trace_name(), "steps-000020-000021");
    send(*trace, SLUICE_EVENT_PROFILE, "", &second.profile());
    EXPECT_EQ(trace_name(), "steps-000050-000052");
    EXPECT_EQ(files(), (std::vector<std::string>{"trace.json", "trace/steps-000020-000021/rank-0.json",
                                                 "trace/steps-000050-000052/rank-0.json"}));
    // The same window again, as after a resume.
    send(*trace, SLUICE_EVENT_PROFILE, "", &second.profile());
    EXPECT_EQ(files().size(), 3U);
}

TEST_F(WindowWriterTest, OnlyTheFirstRankWritesTheNewestTrace) {
    const auto trace = begin_run<Trace>();
    const RecordedWindow window({.rank = 1, .ranks = 2});
    send(*trace, SLUICE_EVENT_PROFILE, "", &window.profile());
    EXPECT_EQ(files(), std::vector<std::string>{"trace/steps-000020-000021/rank-1.json"});
}

TEST_F(WindowWriterTest, XprofFindsAProfileForEachWindow) {
    const auto xprof = begin_run<Xprof>();
    const RecordedWindow window({.rank = 1, .ranks = 2});
    send(*xprof, SLUICE_EVENT_PROFILE, "", &window.profile());
    EXPECT_EQ(files(), std::vector<std::string>{"plugins/profile/steps-000020-000021/rank-1.xplane.pb"});
    // XProf keeps results in the folder of a window, so the same steps get another one after a resume.
    send(*xprof, SLUICE_EVENT_PROFILE, "", &window.profile());
    EXPECT_EQ(files(), (std::vector<std::string>{"plugins/profile/steps-000020-000021-2/rank-1.xplane.pb",
                                                 "plugins/profile/steps-000020-000021/rank-1.xplane.pb"}));
    const ParsedXSpace space = parse_xspace(read_file("run/plugins/profile/steps-000020-000021/rank-1.xplane.pb"));
    EXPECT_EQ(space.hosts, std::vector<std::string>{"rank-1"});
    EXPECT_EQ(space.plane("/host:CPU").events("train").size(), 2U);
}

TEST_F(WindowWriterTest, WhatCannotBeWrittenIsRetried) {
    const auto trace = begin_run<Trace>();
    const RecordedWindow window({});
    write("run/trace", "a file where a folder must be");
    EXPECT_THROW(send(*trace, SLUICE_EVENT_PROFILE, "", &window.profile()), sdk::Failure);
    EXPECT_EQ(files(), std::vector<std::string>{"trace"});
    fs::remove("run/trace");
    send(*trace, SLUICE_EVENT_CHECKPOINT, "step-00000021.safetensors");
    EXPECT_EQ(files(), (std::vector<std::string>{"trace.json", "trace/steps-000020-000021/rank-0.json"}));
}

TEST_F(WindowWriterTest, ARunThatEndsWithoutItsFilesFails) {
    const auto trace = begin_run<Trace>();
    const RecordedWindow window({});
    write("run/trace", "a file where a folder must be");
    EXPECT_THROW(send(*trace, SLUICE_EVENT_PROFILE, "", &window.profile()), sdk::Failure);
    try {
        send(*trace, SLUICE_EVENT_RUN_END, "finished");
        FAIL() << "the run ended without an error";
    } catch (const sdk::Failure& failure) {
        EXPECT_NE(std::string(failure.what()).find("run/trace"), std::string::npos) << failure.what();
    }
}

TEST_F(WindowWriterTest, EventsWithoutAWindowAreRefused) {
    const auto xprof = begin_run<Xprof>();
    EXPECT_THROW(send(*xprof, SLUICE_EVENT_PROFILE, ""), sdk::Failure);
    const RecordedWindow window({});
    EXPECT_THROW(send(*open_observer<Xprof>(), SLUICE_EVENT_PROFILE, "", &window.profile()), sdk::Failure);
}

}  // namespace
}  // namespace sluice::observers::tests
