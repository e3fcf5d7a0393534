// The chain that leads to the end of the steps.
#include "profile/critical_path.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "unit/profile/made_window.hpp"

namespace sluice::profile {
namespace {

CriticalPath path_of(const Window& window) { return critical_path(window, step_times(window)); }

std::map<std::string, double> milliseconds_by_cause(const CriticalPath& path) {
    std::map<std::string, double> causes;
    for (const PathShare& cause : path.causes) {
        causes[cause.cause] = 1e3 * cause.seconds;
    }
    return causes;
}

void expect_without_gaps(const CriticalPath& path) {
    double sum = 0.0;
    for (std::size_t i = 0; i < path.segments.size(); ++i) {
        sum += path.segments[i].seconds;
        EXPECT_GT(path.segments[i].seconds, 0.0) << i;
        if (i > 0) {
            EXPECT_NEAR(path.segments[i - 1].begin + path.segments[i - 1].seconds, path.segments[i].begin, 1e-9) << i;
        }
    }
    EXPECT_NEAR(sum, path.seconds, 1e-9);
}

// The batch of the second step takes from 60 to 118 ms. So the path leaves the loop at 118 and returns to it at 60.
TEST(CriticalPath, goes_through_the_input_that_is_awaited) {
    const CriticalPath path = path_of(cpu_window().window());
    expect_without_gaps(path);
    EXPECT_NEAR(path.seconds, 0.2, 1e-9);
    std::map<std::string, double> causes = milliseconds_by_cause(path);
    EXPECT_NEAR(causes["input"], 80, 1e-6);
    EXPECT_NEAR(causes["compute"], 98, 1e-6);
    EXPECT_NEAR(causes["copy"], 6, 1e-6);
    EXPECT_NEAR(causes["launch"], 10, 1e-6);
    EXPECT_NEAR(causes["output"], 3, 1e-6);
    EXPECT_NEAR(causes["storage"], 2, 1e-6);
    EXPECT_NEAR(causes["other"], 1, 1e-6);
    EXPECT_EQ(path.causes.front().cause, "compute");
    EXPECT_EQ(path.segments.front().what, "read photos");
    EXPECT_EQ(path.segments.front().thread, 1U);
    EXPECT_EQ(path.parts.front().what, "transform decode");
    EXPECT_NEAR(path.parts.front().seconds, 48e-3, 1e-9);
}

// With its batch in time, a step is only the loop's own.
TEST(CriticalPath, stays_on_a_loop_that_waits_for_nothing) {
    MadeWindow made;
    made.thread(SLUICE_THREAD_LOOP, "loop");
    const std::uint32_t input = made.thread(SLUICE_THREAD_INPUT, "input 0");
    made.step(1, 0, 10);
    made.stage("forward", 0, 8);
    made.stage("exchange", 8, 10);
    made.span(SLUICE_SPAN_EXCHANGE, 0, 8.5, 10, {.name = "gradients 1 of 1"});
    made.span(SLUICE_SPAN_READ, input, 0, 9, {.name = "photos"});
    const CriticalPath path = path_of(made.window());
    ASSERT_EQ(path.segments.size(), 3U);
    EXPECT_EQ(path.segments[0].cause, "launch");
    EXPECT_EQ(path.segments[1].cause, "exchange");
    EXPECT_EQ(path.segments[2].what, "exchange gradients 1 of 1");
}

// The loop's stages are those of the first replica, which computes on a thread of its own.
TEST(CriticalPath, follows_the_first_replica) {
    MadeWindow made;
    made.thread(SLUICE_THREAD_LOOP, "loop");
    const std::uint32_t first = made.thread(SLUICE_THREAD_COMPUTE, "replica 0");
    const std::uint32_t second = made.thread(SLUICE_THREAD_COMPUTE, "replica 1");
    made.step(1, 0, 10);
    made.stage("backward", 0, 8);
    made.stage("exchange", 8, 10);
    made.span(SLUICE_SPAN_BACKWARD, first, 0, 8);
    made.span(SLUICE_SPAN_BACKWARD, second, 0, 9.5);
    made.span(SLUICE_SPAN_EXCHANGE, first, 8, 10, {.name = "wait for replicas"});
    const CriticalPath path = path_of(made.window());
    ASSERT_EQ(path.segments.size(), 2U);
    EXPECT_EQ(path.segments[0].thread, first);
    EXPECT_EQ(path.segments[0].cause, "compute");
    EXPECT_EQ(path.segments[1].thread, first);
    EXPECT_EQ(path.segments[1].what, "exchange wait for replicas");
}

// Several samples that one thread made one after the other are all on the path.
TEST(CriticalPath, follows_a_busy_input_thread) {
    MadeWindow made;
    made.thread(SLUICE_THREAD_LOOP, "loop");
    const std::uint32_t input = made.thread(SLUICE_THREAD_INPUT, "input 0");
    made.step(1, 0, 100);
    made.stage("forward", 0, 40);
    made.stage("read", 40, 90);
    made.stage("forward", 90, 100);
    for (int sample = 0; sample < 8; ++sample) {
        made.span(SLUICE_SPAN_READ, input, 10 + 10 * sample, 19.95 + 10 * sample, {.name = "photos", .sample = sample});
    }
    const CriticalPath path = path_of(made.window());
    expect_without_gaps(path);
    std::map<std::string, double> causes = milliseconds_by_cause(path);
    EXPECT_NEAR(causes["input"], 80, 1e-6);
    EXPECT_NEAR(causes["launch"], 20, 1e-6);
}

TEST(CriticalPath, goes_through_the_kernels_of_a_device) {
    const CriticalPath path = path_of(stream_window().window());
    expect_without_gaps(path);
    EXPECT_NEAR(path.seconds, 0.1, 1e-9);
    std::map<std::string, double> causes = milliseconds_by_cause(path);
    EXPECT_NEAR(causes["compute"], 9.5 + 13.99998 + 10 + 32 + 1, 1e-6);
    EXPECT_NEAR(causes["copy"], 4, 1e-6);
    EXPECT_NEAR(causes["output"], 10, 1e-6);
    EXPECT_NEAR(causes["input"], 10, 1e-6);
    EXPECT_NEAR(causes["launch"], 2 + 2 + 2 + 1 + 0.5 + 0.5 + 0.00002 + 1.5, 1e-6);
}

// Between the steps lies an evaluation, which is no part of any step.
TEST(CriticalPath, leaves_out_what_lies_between_steps) {
    MadeWindow made;
    made.thread(SLUICE_THREAD_LOOP, "loop");
    made.step(1, 0, 10);
    made.stage("forward", 0, 10);
    made.stage("other", 10, 60);
    made.span(SLUICE_SPAN_EVALUATION, 0, 10, 60);
    made.step(2, 60, 70);
    made.stage("forward", 60, 70);
    EXPECT_NEAR(path_of(made.window()).seconds, 20e-3, 1e-9);
}

TEST(CriticalPath, of_an_empty_window) {
    EXPECT_TRUE(path_of(Window{}).segments.empty());
    Window window;
    window.seconds = 1.0;
    EXPECT_NEAR(path_of(window).seconds, 1.0, 1e-9);
    EXPECT_EQ(path_of(window).segments.at(0).what, "not recorded");
}

// A file may hold anything, and the path must come to an end.
TEST(CriticalPath, has_the_length_of_the_steps_whatever_the_spans_are) {
    std::mt19937 random(7);
    const auto draw = [&](unsigned most) { return static_cast<std::uint32_t>(random() % most); };
    for (int round = 0; round < 300; ++round) {
        MadeWindow made;
        made.thread(SLUICE_THREAD_LOOP, "loop");
        made.thread(SLUICE_THREAD_INPUT, "input 0");
        made.thread(SLUICE_THREAD_INPUT, "input 1");
        made.thread(SLUICE_THREAD_STREAM, "stream", 0);
        made.step(1, 0, 50);
        made.step(2, 50, 100);
        const std::vector<std::string> stages{"read", "preprocess", "device", "download", "forward", "none"};
        for (int i = 0; i < 60; ++i) {
            const double begin = static_cast<double>(draw(120)) - 10.0;
            const double end = begin + static_cast<double>(draw(20));
            made.span(draw(17), draw(4), begin, end, {.name = stages[draw(6)], .correlation = draw(8)});
            made.stage(stages[draw(6)], begin, end);
        }
        const Window window = made.window();
        const CriticalPath path = path_of(window);
        const StepTimes times = step_times(window);
        EXPECT_NEAR(path.seconds, times.seconds, 1e-6) << round;
    }
}

}  // namespace
}  // namespace sluice::profile
