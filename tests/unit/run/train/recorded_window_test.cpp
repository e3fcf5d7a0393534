// The window of what was recorded.
#include "run/train/recorded_window.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "base/error.hpp"
#include "base/files.hpp"
#include "profile/window_json.hpp"
#include "unit/folder_test.hpp"

namespace sluice::test {
namespace {

profile::Operations operations() {
    return std::make_shared<const std::vector<profile::Operation>>(std::vector<profile::Operation>{
        {.path = "conv", .type = "conv2d", .kernel = "reference", .kind = SLUICE_SPAN_FORWARD},
        {.path = "conv", .type = "conv2d", .kernel = "reference", .kind = SLUICE_SPAN_BACKWARD}});
}

run::ProfileWindows::Recorded recorded() {
    return {.first_step = 3,
            .last_step = 4,
            .began = 10.0,
            .ended = 12.0,
            .spans = {},
            .memory = {{.time = 10.0, .resident = 5000}}};
}

TEST(RecordedWindow, spans_are_cut_to_the_window_and_sorted) {
    run::ProfileWindows::Recorded all = recorded();
    all.spans.threads.push_back({.name = "training loop",
                                 .id = 7,
                                 .kind = SLUICE_THREAD_LOOP,
                                 .spans = {{.begin = 10.5, .end = 11.0, .kind = SLUICE_SPAN_STAGE, .name = "forward"},
                                           {.begin = 9.0, .end = 10.5, .kind = SLUICE_SPAN_STAGE, .name = "read"},
                                           {.begin = 8.0, .end = 9.0, .kind = SLUICE_SPAN_STAGE, .name = "before"},
                                           {.begin = 10.5, .end = 12.5, .kind = SLUICE_SPAN_STEP, .name = "step"}},
                                 .dropped = 2});
    const profile::Window window = run::make_window(all, {});
    ASSERT_EQ(window.spans.size(), 3U);
    EXPECT_EQ(window.names[window.spans[0].name], "read");
    EXPECT_DOUBLE_EQ(window.spans[0].begin, 0.0);
    EXPECT_DOUBLE_EQ(window.spans[0].seconds, 0.5);
    EXPECT_EQ(window.names[window.spans[1].name], "step");  // of equal beginnings the longer first
    EXPECT_DOUBLE_EQ(window.spans[1].end(), 2.0);
    EXPECT_EQ(window.dropped_spans, 2U);
    EXPECT_EQ(window.threads[0].name, "training loop");
    ASSERT_EQ(window.points.size(), 1U);
    EXPECT_EQ(window.points[0].value, 5000.0);
}

TEST(RecordedWindow, replicas_with_the_same_plan_share_operations) {
    const profile::Operations first = operations();
    const profile::Operations second = operations();
    run::ProfileWindows::Recorded all = recorded();
    all.spans.operations = {second, first};
    for (const profile::Operations& list : {first, second}) {
        all.spans.threads.push_back(
            {.id = 1, .spans = {{.begin = 10.0, .end = 10.1, .kind = SLUICE_SPAN_BACKWARD, .operation = &(*list)[1]}}});
    }
    const profile::Window window =
        run::make_window(all, {.device = "cpu", .operations = first, .arena = {{"a", 64, 0, 0, 1}}});
    EXPECT_EQ(window.operations.size(), 2U);
    ASSERT_EQ(window.spans.size(), 2U);
    EXPECT_EQ(window.spans[0].operation, 1U);
    EXPECT_EQ(window.spans[1].operation, 1U);
    EXPECT_EQ(window.tensors.size(), 1U);
    EXPECT_EQ(window.threads[1].name, "thread 1");
}

class RecordedWindowFile : public FolderTest {};

TEST_F(RecordedWindowFile, is_written_under_its_steps_and_rank) {
    profile::Window window = run::make_window(recorded(), {.rank = 1, .ranks = 2});
    const std::filesystem::path file = run::window_file("run", window);
    EXPECT_EQ(file, "run/profile/steps-000003-000004-rank-1.json");
    run::write_window(file, window);
    EXPECT_EQ(profile::parse_window(read_file(file), "file").last_step, 4);
    window.rank = 0;
    EXPECT_EQ(run::window_file("run", window).filename(), "steps-000003-000004.json");
}

TEST_F(RecordedWindowFile, names_a_folder_that_cannot_be_made) {
    std::ofstream("run") << "a file";
    try {
        run::write_window("run/profile/a.json", {});
        FAIL() << "it was written";
    } catch (const Error& error) {
        EXPECT_EQ(error.exit(), Exit::save);
        EXPECT_NE(std::string(error.what()).find("run/profile"), std::string::npos) << error.what();
    }
}

TEST(RecordedWindow, is_described_in_a_line) {
    run::ProfileWindows::Recorded all = recorded();
    all.spans.threads.push_back({.name = "training loop", .id = 7, .kind = SLUICE_THREAD_LOOP});
    for (const double begin : {10.0, 11.0}) {  // between the steps, a checkpoint is saved
        all.spans.threads.back().spans.push_back(
            {.begin = begin, .end = begin + 0.5, .kind = SLUICE_SPAN_STEP, .name = "step"});
    }
    profile::Window window = run::make_window(all, {});
    window.dropped_spans = 1;
    const std::string line = run::describe_window(window, "runs/a");
    EXPECT_NE(line.find("steps 3-4: 500 ms a step, 1 span dropped"), std::string::npos) << line;
    EXPECT_NE(line.find("profile show runs/a"), std::string::npos) << line;
}

}  // namespace
}  // namespace sluice::test
