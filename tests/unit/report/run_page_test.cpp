#include "report/run_page.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "unit/folder_test.hpp"

namespace sluice::report {
namespace {

class RunPage : public FolderTest {
protected:
    static Page page() {
        history::RunRecord record("run");
        record.update();
        return run_page(record);
    }
    static const Section* section(const Page& page, const std::string& title) {
        const auto found = std::ranges::find(page.sections, title, &Section::title);
        return found == page.sections.end() || found->is_empty() ? nullptr : &*found;
    }
    static const Chart* chart(const Section& section, const std::string& title) {
        const auto found = std::ranges::find(section.charts, title, &Chart::title);
        return found == section.charts.end() ? nullptr : &*found;
    }
    static void write_run(int steps) {
        std::string events = line("run_begin", 0, "", R"("epochs":2,"steps":4000,"steps_per_epoch":2000,"batch":4)");
        for (int step = 1; step <= steps; ++step) {
            events += line("step", step, "",
                           fmt::format(R"("loss":{},"rate":0.1,"step_seconds":0.02,"samples":4,"read_seconds":0.005,)"
                                       R"("forward_seconds":0.015,"exchange_seconds":0)",
                                       1.0 / step));
        }
        events += line("evaluation", steps, "psnr", R"("validation_loss":0.5,"psnr":20,"input_psnr":18)");
        write("run/events.jsonl", events);
    }
    static std::string line(const std::string& kind, int step, const std::string& text, const std::string& scalars) {
        return fmt::format(R"({{"kind":"{}","epoch":1,"step":{},"seconds":{},"text":"{}","scalars":{{{}}}}})", kind,
                           step, 0.02 * step, text, scalars) +
               "\n";
    }
};

TEST_F(RunPage, has_the_curves_of_events) {
    write_run(3);
    const Page shown = page();
    EXPECT_EQ(shown.title, "run");
    EXPECT_EQ(shown.state, "killed");
    EXPECT_EQ(shown.progress, 3.0 / 4000.0);
    EXPECT_NE(shown.verdict.find("waits for input 25 %"), std::string::npos) << shown.verdict;
    EXPECT_NE(shown.next.find("resume run"), std::string::npos) << shown.next;
    const Section* const curves = section(shown, "Course of the training");
    ASSERT_NE(curves, nullptr);
    const Chart* const loss = chart(*curves, "Loss");
    ASSERT_NE(loss, nullptr);
    ASSERT_EQ(loss->lines.size(), 2U);
    EXPECT_EQ(loss->lines[0].y, (std::vector<double>{1.0, 0.5, 1.0 / 3.0}));
    EXPECT_EQ(loss->lines[1].y, std::vector<double>{0.5});
    const Chart* const psnr = chart(*curves, "psnr");
    ASSERT_NE(psnr, nullptr);
    EXPECT_EQ(psnr->lines.size(), 2U);
    const Chart* const speed = chart(*curves, "Speed");
    ASSERT_NE(speed, nullptr);
    EXPECT_EQ(speed->lines[0].y.front(), 200.0);
}

TEST_F(RunPage, stacks_the_stages_that_take_time) {
    write_run(3);
    const Page shown = page();
    const Section* const steps = section(shown, "Time of a step");
    ASSERT_NE(steps, nullptr);
    ASSERT_EQ(steps->charts.size(), 1U);
    const Chart& stages = steps->charts.front();
    EXPECT_TRUE(stages.is_stacked);
    ASSERT_EQ(stages.lines.size(), 2U);  // exchange takes none
    EXPECT_EQ(stages.lines[0].name, "read");
    EXPECT_EQ(stages.lines[0].y.front(), 5.0);
    EXPECT_EQ(stages.lines[1].name, "forward");
}

TEST_F(RunPage, of_a_long_run_has_few_points) {
    write_run(4000);
    const Page shown = page();
    for (const Section& one : shown.sections) {
        for (const Chart& chart : one.charts) {
            for (const Line& line : chart.lines) {
                EXPECT_LE(line.x.size(), 500U) << chart.title;
                EXPECT_EQ(line.x.size(), line.y.size());
            }
        }
    }
    EXPECT_EQ(chart(*section(shown, "Course of the training"), "Loss")->lines[0].x.back(), 4000.0);
}

TEST_F(RunPage, has_the_use_of_the_machine) {
    write("run/usage.csv",
          "unix_seconds,seconds,step,cpu_compute,cpu_input,resident_bytes,batches_ready\n"
          "1000,1,1,1.5,0.25,1048576,3\n1060,61,2,1.5,0.25,2097152,\n");
    const Page shown = page();
    const Section* const machine = section(shown, "What the run used of the machine");
    ASSERT_NE(machine, nullptr);
    const Chart* const cpu = chart(*machine, "CPU");
    ASSERT_NE(cpu, nullptr);
    ASSERT_EQ(cpu->lines.size(), 2U);
    EXPECT_EQ(cpu->lines[0].x, (std::vector<double>{0.0, 1.0}));
    EXPECT_EQ(chart(*machine, "Resident memory")->lines[0].y, (std::vector<double>{1.0, 2.0}));
    EXPECT_EQ(chart(*machine, "Disk and network"), nullptr);
}

TEST_F(RunPage, shows_warnings_and_the_pipeline) {
    write("run/log.txt", "2026-11-26 22:39:50 W it <b>is</b> slow\n2026-11-26 22:39:51 I fine\n");
    write("run/resolved.toml", "seed = 7  # default\n");
    const Page shown = page();
    ASSERT_NE(section(shown, "Warnings"), nullptr);
    EXPECT_EQ(section(shown, "Warnings")->text, "2026-11-26 22:39:50 W it <b>is</b> slow\n");
    EXPECT_EQ(section(shown, "Pipeline")->text, "seed = 7  # default\n");
}

TEST_F(RunPage, names_a_damaged_window) {
    write("run/profile/steps-000020-000024.json", "{");
    const Page shown = page();
    ASSERT_NE(section(shown, "Steps 20 to 24"), nullptr);
    EXPECT_NE(section(shown, "Steps 20 to 24")->note.find("steps-000020-000024.json"), std::string::npos);
}

TEST(ChosenPictures, have_the_first_and_the_last) {
    EXPECT_EQ(chosen_pictures({"a", "b"}, 4), (std::vector<std::string>{"a", "b"}));
    EXPECT_EQ(chosen_pictures({"a", "b", "c", "d", "e", "f", "g"}, 4), (std::vector<std::string>{"a", "c", "e", "g"}));
    EXPECT_EQ(chosen_pictures({"a", "b", "c"}, 1), std::vector<std::string>{"c"});
}

}  // namespace
}  // namespace sluice::report
