#include "history/run_summary.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>

#include "base/error.hpp"
#include "unit/folder_test.hpp"

namespace sluice::history {
namespace {

std::string event(const std::string& kind, int step, const std::string& text, const std::string& scalars) {
    return fmt::format(R"({{"kind":"{}","epoch":1,"step":{},"seconds":{},"text":"{}","scalars":{{{}}}}})", kind, step,
                       step, text, scalars) +
           "\n";
}
std::string begin() { return event("run_begin", 0, "", R"("epochs":2.0,"steps":1000.0,"batch":4.0)"); }
std::string step(int number) {
    return event("step", number, "",
                 fmt::format(R"("loss":{},"step_seconds":0.5,"samples":4.0,"read_seconds":{},"forward_seconds":0.1)",
                             1.0 / number, number <= 500 ? 0.4 : 0.0));
}
std::string evaluation(int number, double psnr, const std::string& best) {
    return event("evaluation", number, best, fmt::format(R"("validation_loss":0.1,"psnr":{})", psnr));
}

class RunSummaries : public FolderTest {
protected:
    static void set_age(const std::string& run, std::chrono::seconds age) {
        std::filesystem::last_write_time(run + "/events.jsonl", std::filesystem::file_time_type::clock::now() - age);
    }
};

TEST_F(RunSummaries, have_the_figures_of_a_long_run) {
    std::string text = begin();
    for (int number = 1; number <= 1000; ++number) {
        text += step(number);
        if (number == 400) {
            text += evaluation(number, 25.0, "psnr");
        }
        if (number == 800) {
            text += evaluation(number, 24.0, "");
        }
    }
    write("run/events.jsonl", text + event("run_end", 1000, "finished", ""));
    set_age("run", std::chrono::seconds(100));
    const RunSummary run = summarize("run");
    EXPECT_EQ(run.state, RunState::finished);
    EXPECT_EQ(run.step, 1000);
    EXPECT_EQ(run.last_step, 1000);
    EXPECT_EQ(run.epochs, 2);
    EXPECT_EQ(run.samples_per_second, 8.0);
    EXPECT_EQ(run.loss, 0.001);
    ASSERT_TRUE(run.best);
    EXPECT_EQ(run.best->name, "psnr");
    EXPECT_EQ(run.best->value, 25.0);
    EXPECT_EQ(run.best->step, 400);
    EXPECT_NEAR(run.age, 100.0, 10.0);
    // It reads for 0.4 s in half of the steps, and computes for 0.1 s in each.
    EXPECT_EQ(run.limit, "waits for input 67 %");
}

TEST_F(RunSummaries, are_sorted_by_age_and_found_in_subfolders) {
    write("runs/old/events.jsonl", begin());
    set_age("runs/old", std::chrono::seconds(1000));
    write("runs/more/young/events.jsonl", begin() + step(1));
    set_age("runs/more/young", std::chrono::seconds(10));
    write("runs/other/notes.txt", "no run");
    write("runs/starts/resolved.toml", "");
    const std::vector<RunSummary> runs = list_runs("runs");
    ASSERT_EQ(runs.size(), 3U);
    EXPECT_EQ(runs[0].name, "starts");
    EXPECT_TRUE(std::isnan(runs[0].loss));
    EXPECT_EQ(runs[1].name, "more/young");
    EXPECT_EQ(runs[1].state, RunState::killed);
    EXPECT_EQ(runs[2].name, "old");
}

TEST_F(RunSummaries, of_one_run_are_that_run) {
    write("run/events.jsonl", begin() + "garbage\n" + step(1) + "{\"kind\":\"st");
    const std::vector<RunSummary> runs = list_runs("run");
    ASSERT_EQ(runs.size(), 1U);
    EXPECT_EQ(runs[0].name, "run");
    EXPECT_EQ(runs[0].step, 1);
}

TEST_F(RunSummaries, need_a_folder) {
    write("file", "");
    EXPECT_THROW(list_runs("missing"), Error);
    EXPECT_THROW(list_runs("file"), Error);
    std::filesystem::create_directory("empty");
    EXPECT_TRUE(list_runs("empty").empty());
}

}  // namespace
}  // namespace sluice::history
