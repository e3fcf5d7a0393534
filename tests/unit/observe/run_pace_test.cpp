// Steps and time of a run, counted from its beginning in this process.
#include "observe/run_pace.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "observe/cpu_time.hpp"

namespace sluice::observe {
namespace {

using namespace std::chrono_literals;

TEST(RunPace, counts_steps_and_time_from_the_beginning_to_the_end) {
    RunPace pace;
    EXPECT_FALSE(pace.is_running());
    EXPECT_EQ(pace.figures().seconds, 0.0);
    pace.begin(1000);
    EXPECT_TRUE(pace.is_running());
    EXPECT_EQ(pace.steps(), 0);
    pace.advance(1012, 3);
    std::this_thread::sleep_for(20ms);
    pace.end();
    EXPECT_FALSE(pace.is_running());
    EXPECT_EQ(pace.step(), 1012);
    EXPECT_EQ(pace.epoch(), 3);
    const RunPace::Figures figures = pace.figures();
    EXPECT_EQ(figures.steps, 12);
    EXPECT_GE(figures.seconds, 0.02);
    std::this_thread::sleep_for(5ms);
    EXPECT_EQ(pace.figures().seconds, figures.seconds);
}

TEST(RunPace, the_step_time_is_that_of_the_step_clock_after_the_warm_up) {
    RunPace pace;
    pace.begin(1000);
    for (std::int64_t step = 1001; step <= 1010; ++step) {
        pace.advance(step, 3);
        EXPECT_EQ(pace.is_warm_up(step), step <= 1005);
        pace.add_step(step, step <= 1005 ? 10.0 : 0.25);
    }
    EXPECT_DOUBLE_EQ(pace.figures().step_seconds, 0.25);
}

TEST(RunPace, without_a_step_clock_the_step_time_is_that_of_the_run) {
    RunPace pace;
    pace.begin(0);
    pace.advance(10, 1);
    std::this_thread::sleep_for(20ms);
    pace.end();
    EXPECT_DOUBLE_EQ(pace.figures().step_seconds, pace.seconds() / 10);
}

TEST(RunPace, counts_the_cpu_time_of_the_process) {
    RunPace pace;
    pace.begin(0);
    const double start = thread_cpu_seconds();
    while (thread_cpu_seconds() - start < 0.03) {
    }
    EXPECT_GE(pace.figures().cpu_seconds, 0.03);
}

}  // namespace
}  // namespace sluice::observe
