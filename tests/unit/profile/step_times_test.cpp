// Steps, stages and the work beside the loop.
#include "profile/step_times.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "unit/profile/made_window.hpp"

namespace sluice::profile {
namespace {

std::map<std::string, double> milliseconds_of(const StepTimes& times) {
    std::map<std::string, double> stages;
    for (const StageTime& stage : times.stages) {
        stages[stage.name] = 1e3 * stage.seconds;
    }
    return stages;
}

TEST(StepTimes, add_up_to_the_steps) {
    const StepTimes times = step_times(cpu_window().window());
    ASSERT_EQ(times.steps.size(), 2U);
    EXPECT_EQ(times.steps[1].step, 2);
    EXPECT_NEAR(times.seconds_of_step(), 0.1, 1e-9);
    double sum = 0.0;
    for (const StageTime& stage : times.stages) {
        sum += stage.seconds;
    }
    EXPECT_NEAR(sum, 0.1, 1e-9);
    EXPECT_EQ(times.stages.front().name, "read");
    EXPECT_EQ(times.stages.back().name, "other");
}

// In the first wait, the input reads for 8 ms and transforms for 10. In the second one, it only transforms.
TEST(StepTimes, divide_waits_by_what_the_input_did) {
    std::map<std::string, double> stages = milliseconds_of(step_times(cpu_window().window()));
    EXPECT_NEAR(stages["read"], 20.0 * 8 / 18 / 2, 1e-6);
    EXPECT_NEAR(stages["preprocess"], (20.0 * 10 / 18 + 20) / 2, 1e-6);
    EXPECT_NEAR(stages["forward"], 30, 1e-6);
    EXPECT_NEAR(stages["storage"], 2, 1e-6);
}

// While a device is busy, its stages count. The rest of a wait for its result is a download.
TEST(StepTimes, have_the_stages_of_a_busy_device) {
    MadeWindow made = stream_window();
    WindowDeviceStages stages{.begin = 0.010, .end = 0.040, .seconds = {}};
    stages.seconds[Stage::forward] = 0.010;
    stages.seconds[Stage::backward] = 0.020;
    made.raw().on_device = {stages};
    const Window window = made.window();
    std::map<std::string, double> found = milliseconds_of(step_times(window));
    EXPECT_NEAR(found["read"], 5.0, 1e-6);
    EXPECT_NEAR(found["forward"], (5.0 + 10.0 + 5.0) / 2, 1e-6);
    EXPECT_NEAR(found["backward"], 20.0 / 2, 1e-6);
    EXPECT_NEAR(found["download"], (5.0 + 35.0) / 2, 1e-6);
    EXPECT_EQ(found.count("device"), 0U);
    const StepTimes times = step_times(window);
    const auto forward = std::ranges::find(times.stages, "forward", &StageTime::name);
    EXPECT_NEAR(forward->count, 1.0, 1e-9);
    EXPECT_TRUE(forward->has_device_clock);
    EXPECT_FALSE(std::ranges::find(times.stages, "read", &StageTime::name)->has_device_clock);
    EXPECT_EQ(times.beside.front().name, "training loop");
    EXPECT_NEAR(times.beside.front().seconds, 0.005 / 2, 1e-9);
    EXPECT_EQ(window.on_device.size(), 1U);
}

TEST(StepTimes, leave_out_a_step_that_ran_without_its_graphs) {
    MadeWindow made = stream_window();
    made.raw().eager_step = 1;
    StepTimes times = step_times(made.window());
    ASSERT_EQ(times.steps.size(), 1U);
    EXPECT_EQ(times.steps[0].step, 2);
    EXPECT_NEAR(milliseconds_of(times)["device"], 35, 1e-6);
    std::erase_if(made.raw().spans,
                  [](const WindowSpan& span) { return span.kind == SLUICE_SPAN_STEP && span.step == 2; });
    times = step_times(made.window());  // it is the only step
    ASSERT_EQ(times.steps.size(), 1U);
    EXPECT_EQ(times.steps[0].step, 1);
}

TEST(StepTimes, count_only_what_lies_within_steps) {
    MadeWindow made;
    made.thread(SLUICE_THREAD_LOOP, "loop");
    made.step(7, 10, 20);
    made.stage("forward", 0, 15);
    made.stage("storage", 15, 40);
    made.step(8, 40, 50);
    made.stage("forward", 40, 50);
    const StepTimes times = step_times(made.window());
    EXPECT_NEAR(times.seconds, 0.02, 1e-9);
    std::map<std::string, double> stages = milliseconds_of(times);
    EXPECT_NEAR(stages["forward"], 7.5, 1e-6);
    EXPECT_NEAR(stages["storage"], 2.5, 1e-6);
    EXPECT_NEAR(times.between.seconds, 30e-3, 1e-9);
    ASSERT_EQ(times.between.stages.size(), 2U);
    EXPECT_EQ(times.between.stages[0].name, "storage");
    EXPECT_NEAR(times.between.stages[0].seconds, 20e-3, 1e-9);
    EXPECT_EQ(times.between.stages[1].name, "forward");
    EXPECT_NEAR(times.between.stages[1].seconds, 10e-3, 1e-9);
}

TEST(StepTimes, know_all_time_between_steps) {
    MadeWindow made;
    made.thread(SLUICE_THREAD_LOOP, "loop");
    made.step(7, 0, 10);
    made.step(8, 10, 20);
    made.stage("output", 20, 50);
    made.step(9, 60, 70);
    made.raw().seconds = 0.07;
    made.raw().eager_step = 8;  // a step, though its time is left out
    const TimeBetween between = step_times(made.window()).between;
    EXPECT_NEAR(between.seconds, 40e-3, 1e-9);
    ASSERT_EQ(between.stages.size(), 2U);
    EXPECT_EQ(between.stages[0].name, "output");
    EXPECT_EQ(between.stages[1].name, "not recorded");
    EXPECT_NEAR(between.stages[1].seconds, 10e-3, 1e-9);
    EXPECT_NEAR(step_times(cpu_window().window()).between.seconds, 0.0, 1e-9);
}

// A file may hold anything.
TEST(StepTimes, count_no_time_twice) {
    MadeWindow made;
    made.thread(SLUICE_THREAD_LOOP, "loop");
    made.step(1, 0, 10);
    made.step(2, 2, 4);
    made.step(3, 8, 12);
    const StepTimes times = step_times(made.window());
    EXPECT_EQ(times.steps.size(), 2U);
    EXPECT_NEAR(times.seconds, 12e-3, 1e-9);
}

TEST(StepTimes, show_work_beside_the_loop) {
    const StepTimes times = step_times(cpu_window().window());
    std::map<std::string, double> beside;
    for (const WorkBeside& work : times.beside) {
        EXPECT_EQ(work.threads, 1U) << work.name;
        beside[work.name] = 1e3 * work.seconds;
    }
    ASSERT_EQ(beside.size(), 3U);
    EXPECT_NEAR(beside["input, reading"], 14, 1e-6);
    EXPECT_NEAR(beside["input, transforms"], 24, 1e-6);
    EXPECT_NEAR(beside["observers"], 2, 1e-6);
}

TEST(StepTimes, name_the_longest_wait) {
    EXPECT_EQ(longest_wait(step_times(cpu_window().window())).name, "preprocess");
    EXPECT_EQ(longest_wait(step_times(Window{})).name, "");
}

TEST(StepTimes, of_a_window_without_steps) {
    EXPECT_TRUE(step_times(Window{}).steps.empty());
    EXPECT_EQ(step_times(Window{}).seconds_of_step(), 0.0);
    Window window;
    window.seconds = 0.25;
    EXPECT_NEAR(step_times(window).seconds_of_step(), 0.25, 1e-12);
}

}  // namespace
}  // namespace sluice::profile
