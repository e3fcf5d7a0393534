// Windows record the steps of the pipeline and of requests.
#include "run/train/profile_windows.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <thread>

#include "base/clock.hpp"
#include "unit/captured_log.hpp"
#include "unit/folder_test.hpp"

namespace sluice::test {
namespace {

class ProfileWindowsTest : public FolderTest {
protected:
    ~ProfileWindowsTest() override { static_cast<void>(profile::Recorder::close()); }

    static config::PipelineSpec spec_of(std::int64_t first, std::int64_t last) {
        config::PipelineSpec spec;
        spec.profile.steps = config::ProfileSpec::Steps{.first = first, .last = last};
        return spec;
    }
    static run::ProfileWindows::MemoryPoint measured() { return {.resident = 7000000}; }
    // Runs a step that takes a millisecond, and a tenth more if it is recorded. Returns true if it was recorded.
    static bool run_step(run::ProfileWindows& windows, std::int64_t step) {
        if (windows.opens_before(step)) {
            windows.open(step);
        }
        windows.begin_step(step, now());
        const bool is_recorded = profile::is_recording();
        profile::add({.begin = now(), .end = now(), .kind = SLUICE_SPAN_UPLOAD, .name = "batch", .step = step});
        windows.end_step(step, is_recorded ? 0.0011 : 0.001);
        return is_recorded;
    }
    static void request(const std::string& text) { std::ofstream(run::kProfileRequest) << text; }
};

TEST_F(ProfileWindowsTest, records_the_steps_of_the_pipeline) {
    run::ProfileWindows windows(spec_of(3, 4), ".", measured);
    for (std::int64_t step = 1; step <= 4; ++step) {
        EXPECT_EQ(windows.changes_before(step), step == 3) << step;
        EXPECT_EQ(run_step(windows, step), step >= 3) << step;
    }
    windows.finish();
    const auto recorded = windows.take();
    ASSERT_TRUE(recorded.has_value());
    EXPECT_EQ(recorded->first_step, 3);
    EXPECT_EQ(recorded->last_step, 4);
    EXPECT_FALSE(windows.take_cost().has_value());  // no step followed that could measure it
    ASSERT_EQ(recorded->spans.threads.size(), 1U);
    EXPECT_EQ(recorded->spans.threads[0].spans.size(), 2U);
    EXPECT_EQ(recorded->memory.size(), 3U);
    EXPECT_EQ(recorded->memory[0].resident, 7000000U);
}

TEST_F(ProfileWindowsTest, measures_its_cost_by_steps_with_and_without_in_turn) {
    run::ProfileWindows windows(spec_of(1, 2), ".", measured);
    std::int64_t step = 1;
    for (; step <= 2; ++step) {
        run_step(windows, step);
    }
    const auto recorded = windows.take();
    ASSERT_TRUE(recorded.has_value());
    EXPECT_EQ(recorded->spans.threads[0].spans.size(), 2U);
    int with = 0;
    int without = 0;
    std::optional<profile::RecordingCost> cost;
    for (; !cost && step < 1000; ++step) {
        EXPECT_TRUE(windows.changes_before(step));
        ++(run_step(windows, step) ? with : without);
        cost = windows.take_cost();
    }
    ASSERT_TRUE(cost.has_value());
    EXPECT_EQ(with, without);
    EXPECT_EQ(cost->steps, with);
    EXPECT_EQ(with, 20);
    EXPECT_NEAR(cost->seconds, 0.0001, 1e-12);
    EXPECT_NEAR(cost->noise, 0.0, 1e-12);
    EXPECT_EQ(cost->step_seconds, 0.001);
    EXPECT_TRUE(cost->is_in_turn);
    EXPECT_FALSE(windows.take().has_value());
    EXPECT_FALSE(run_step(windows, step));
}

TEST_F(ProfileWindowsTest, measures_its_cost_by_later_steps_if_steps_in_turn_are_impossible) {
    run::ProfileWindows windows(spec_of(1, 5), ".", measured);
    std::int64_t step = 1;
    for (; step <= 5; ++step) {
        run_step(windows, step);
    }
    windows.compare_with_later_steps();
    ASSERT_TRUE(windows.take().has_value());
    std::optional<profile::RecordingCost> cost;
    for (; !cost && step < 100; ++step) {
        EXPECT_FALSE(windows.changes_before(step));
        EXPECT_FALSE(run_step(windows, step));
        cost = windows.take_cost();
    }
    ASSERT_TRUE(cost.has_value());
    EXPECT_EQ(cost->steps, 4);  // the first step of the window does not count
    EXPECT_NEAR(cost->seconds, 0.0001, 1e-12);
    EXPECT_FALSE(cost->is_in_turn);
}

TEST_F(ProfileWindowsTest, a_request_leaves_the_steps_of_the_pipeline) {
    run::ProfileWindows windows(spec_of(5, 6), ".", measured);
    windows.request(1, 2);
    EXPECT_FALSE(run_step(windows, 1));
    EXPECT_TRUE(run_step(windows, 2));
    EXPECT_TRUE(run_step(windows, 3));
    EXPECT_EQ(windows.take()->last_step, 3);
    windows.cancel_trial();
    EXPECT_FALSE(run_step(windows, 4));
    EXPECT_TRUE(run_step(windows, 5));
}

TEST_F(ProfileWindowsTest, ranges_that_overlap_become_one_window) {
    run::ProfileWindows windows(spec_of(3, 6), ".", measured);
    windows.request(1, 2);
    for (std::int64_t step = 2; step <= 6; ++step) {
        EXPECT_TRUE(run_step(windows, step)) << step;
    }
    EXPECT_EQ(windows.take()->last_step, 6);
    windows.finish();
    EXPECT_EQ(windows.missed(), "");
}

TEST_F(ProfileWindowsTest, a_run_that_ends_inside_a_window_keeps_what_it_has) {
    run::ProfileWindows windows(spec_of(1, 100), ".", measured);
    run_step(windows, 1);
    run_step(windows, 2);
    windows.finish();
    const auto recorded = windows.take();
    ASSERT_TRUE(recorded.has_value());
    EXPECT_EQ(recorded->last_step, 2);
    EXPECT_FALSE(profile::is_recording());
    EXPECT_EQ(windows.missed(), "steps 3 to 100 were not recorded: the run ended before");
}

TEST_F(ProfileWindowsTest, a_run_that_resumes_inside_the_range_records_the_rest) {
    run::ProfileWindows windows(spec_of(3, 5), ".", measured);
    EXPECT_TRUE(run_step(windows, 5));
    run::ProfileWindows later(spec_of(3, 5), ".", measured);
    EXPECT_FALSE(later.changes_before(6));
}

TEST_F(ProfileWindowsTest, names_steps_that_the_run_did_not_have) {
    run::ProfileWindows windows(spec_of(30, 40), ".", measured);
    run_step(windows, 1);
    windows.finish();
    EXPECT_EQ(windows.missed(), "steps 30 to 40 were not recorded: the run ended before");
    run::ProfileWindows recorded(spec_of(1, 1), ".", measured);
    run_step(recorded, 1);
    recorded.finish();
    EXPECT_EQ(recorded.missed(), "");
    run::ProfileWindows resumed(spec_of(3, 5), ".", measured);
    resumed.drop_until(5);
    resumed.finish();
    EXPECT_EQ(resumed.missed(), "");
}

TEST_F(ProfileWindowsTest, takes_a_request_of_the_folder_once) {
    run::ProfileWindows windows(config::PipelineSpec{}, ".", measured);
    EXPECT_EQ(windows.poll(10.0), 0);
    request("2\n");
    EXPECT_EQ(windows.poll(10.5), 0);  // it looks once a second
    EXPECT_EQ(windows.poll(11.5), 2);
    EXPECT_FALSE(std::filesystem::exists(run::kProfileRequest));
    EXPECT_EQ(windows.poll(11.6), 2);  // until the request is made
    windows.request(7, 2);
    EXPECT_EQ(windows.poll(20.0), 0);
    EXPECT_FALSE(run_step(windows, 7));
    EXPECT_TRUE(run_step(windows, 8));
    EXPECT_TRUE(run_step(windows, 9));
}

TEST_F(ProfileWindowsTest, a_request_that_is_no_number_is_removed) {
    run::ProfileWindows windows(config::PipelineSpec{}, ".", measured);
    const CapturedLog log;
    double time = 10.0;
    for (const char* const text : {"five", "0", "-3", "1001", "", "5x", "99999999999999999999"}) {
        request(text);
        EXPECT_EQ(windows.poll(time += 2.0), 0) << text;
        EXPECT_NE(log.take().find("not a number of steps from 1 to 1000"), std::string::npos) << text;
        EXPECT_FALSE(std::filesystem::exists(run::kProfileRequest));
    }
}

}  // namespace
}  // namespace sluice::test
