#include "history/run_history.hpp"

#include <gtest/gtest.h>

#include <tuple>

namespace sluice::history {
namespace {

EventLine begin(std::int64_t step) {
    return {.kind = EventKind::run_begin,
            .epoch = 1,
            .step = step,
            .scalars = {{"epochs", 3.0}, {"steps", 30.0}, {"steps_per_epoch", 10.0}, {"batch", 4.0}}};
}
EventLine step(std::int64_t number, double seconds, double loss) {
    return {.kind = EventKind::step,
            .epoch = (number - 1) / 10 + 1,
            .step = number,
            .seconds = seconds,
            .scalars = {{"loss", loss}, {"step_seconds", 0.5}, {"samples", 4.0}}};
}
EventLine evaluation(std::int64_t number, double psnr) {
    return {.kind = EventKind::evaluation, .epoch = 1, .step = number, .scalars = {{"psnr", psnr}}};
}

TEST(RunHistory, has_the_series_of_steps_and_scores) {
    RunHistory history;
    history.add(begin(0));
    history.add(step(1, 1.0, 0.9));
    history.add(step(2, 2.0, 0.8));
    history.add(evaluation(2, 20.0));
    EXPECT_EQ(history.last_step(), 30);
    EXPECT_EQ(history.step(), 2);
    ASSERT_NE(history.step_series("loss"), nullptr);
    EXPECT_EQ(history.step_series("loss")->values, (std::vector<double>{0.9, 0.8}));
    ASSERT_NE(history.score_series("psnr"), nullptr);
    EXPECT_EQ(history.score_series("psnr")->values, std::vector<double>{20.0});
    EXPECT_EQ(history.step_series("none"), nullptr);
    EXPECT_EQ(history.samples_per_second(), 8.0);
}

TEST(RunHistory, of_a_resumed_run_replaces_the_steps_that_are_trained_again) {
    RunHistory history;
    history.add(begin(0));
    for (std::int64_t number = 1; number <= 5; ++number) {
        history.add(step(number, static_cast<double>(number), 1.0));
    }
    history.add(evaluation(5, 20.0));
    history.add(begin(3));
    history.add(step(4, 0.25, 0.5));
    EXPECT_EQ(history.step(), 4);
    EXPECT_EQ(history.step_series("loss")->steps, (std::vector<double>{1.0, 2.0, 3.0, 4.0}));
    EXPECT_EQ(history.step_series("loss")->values.back(), 0.5);
    EXPECT_TRUE(history.evaluations().empty());
    EXPECT_EQ(history.sittings().size(), 2U);
    EXPECT_EQ(history.sittings()[1].seconds, 0.25);
}

TEST(RunHistory, has_the_best_evaluation_of_those_that_count) {
    RunHistory history;
    history.add(begin(0));
    EXPECT_FALSE(history.best());
    for (const auto& [number, psnr, is_best] : {std::tuple{4, 20.0, true}, {6, 22.0, true}, {8, 21.0, false}}) {
        EventLine row = evaluation(number, psnr);
        row.text = is_best ? "psnr" : "";
        history.add(row);
    }
    ASSERT_TRUE(history.best());
    EXPECT_EQ(history.best()->name, "psnr");
    EXPECT_EQ(history.best()->value, 22.0);
    EXPECT_EQ(history.best()->step, 6);
    history.add(begin(5));  // a resume trains the later steps again
    ASSERT_TRUE(history.best());
    EXPECT_EQ(history.best()->step, 4);
}

TEST(RunHistory, keeps_how_each_sitting_ended) {
    RunHistory history;
    history.add(begin(0));
    history.add({.kind = EventKind::run_end,
                 .step = 7,
                 .seconds = 9.0,
                 .text = "interrupted",
                 .scalars = {{"start_seconds", 1.0}}});
    history.add(begin(7));
    EXPECT_EQ(history.sittings().at(0).ended, "interrupted");
    EXPECT_EQ(history.sittings().at(0).phases.at(0).second, 1.0);
    EXPECT_EQ(history.sittings().at(1).ended, "");
    EXPECT_EQ(history.sittings().at(1).first_step, 7);
}

}  // namespace
}  // namespace sluice::history
