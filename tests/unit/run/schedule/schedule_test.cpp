#include "run/schedule/schedule.hpp"

#include <gtest/gtest.h>

#include <array>
#include <utility>
#include <vector>

namespace sluice::run {
namespace {

using config::ScheduleKind;

TEST(Schedule, constant_stays) {
    const Schedule schedule({.use = ScheduleKind::constant, .length = {}}, 0.1, 100, 10);
    EXPECT_DOUBLE_EQ(schedule.rate(0), 0.1);
    EXPECT_DOUBLE_EQ(schedule.rate(99), 0.1);
}

// A step has 8 x 4 samples, but the rate was found for 8.
TEST(Schedule, rate_follows_the_samples_of_a_step) {
    config::PipelineSpec spec;
    spec.rate = 0.1;
    spec.data.batch = 8;
    spec.train.accumulate = 4;
    spec.scale_from = 8;
    EXPECT_DOUBLE_EQ(scaled_rate(spec), 0.1);
    EXPECT_EQ(scaled_rate_text(spec), "");
    spec.scale_rate = config::RateScale::linear;
    EXPECT_DOUBLE_EQ(scaled_rate(spec), 0.4);
    EXPECT_EQ(scaled_rate_text(spec), "0.4: 0.1 x 32 / 8 (samples a step, optimizer.scale_rate = \"linear\")");
    spec.scale_rate = config::RateScale::square_root;
    EXPECT_DOUBLE_EQ(scaled_rate(spec), 0.2);
    EXPECT_EQ(scaled_rate_text(spec),
              "0.2: 0.1 x sqrt(32 / 8) (samples a step, optimizer.scale_rate = \"square_root\")");
}

TEST(Schedule, warmup_rises_to_the_rate) {
    const Schedule schedule({.use = ScheduleKind::constant, .length = {}, .warmup = 0.1}, 0.1, 100, 10);
    EXPECT_DOUBLE_EQ(schedule.rate(0), 0.01);
    EXPECT_DOUBLE_EQ(schedule.rate(9), 0.1);
    EXPECT_DOUBLE_EQ(schedule.rate(10), 0.1);
}

TEST(Schedule, cosine_passes_its_middle_and_its_end) {
    const Schedule schedule({.use = ScheduleKind::cosine, .length = {}, .final_share = 0.2}, 1.0, 100, 10);
    EXPECT_DOUBLE_EQ(schedule.rate(0), 1.0);
    EXPECT_NEAR(schedule.rate(50), 0.6, 1e-12);
    EXPECT_NEAR(schedule.rate(100), 0.2, 1e-12);
    EXPECT_NEAR(schedule.rate(1000), 0.2, 1e-12);
}

TEST(Schedule, gives_the_rates_of_updates_that_may_come_next) {
    const Schedule schedule({.use = ScheduleKind::linear, .length = {}, .final_share = 0.0}, 1.0, 4, 4);
    const Rates rates = schedule.rates(2, {.best = {}, .scale = 0.5});
    EXPECT_EQ(rates.first_update, 2U);
    EXPECT_EQ(rates.values, (std::array{0.375, 0.25, 0.125, 0.0}));
}

TEST(Schedule, linear_falls_evenly) {
    const Schedule schedule({.use = ScheduleKind::linear, .length = {}, .final_share = 0.0}, 1.0, 100, 10);
    EXPECT_NEAR(schedule.rate(25), 0.75, 1e-12);
}

TEST(Schedule, has_a_length_of_its_own) {
    const Schedule shorter({.use = ScheduleKind::linear, .length = config::Interval{50, false}, .warmup = 0.2}, 1.0,
                           100, 10);
    EXPECT_NEAR(shorter.rate(9), 1.0, 1e-12);   // a fifth of 50 steps
    EXPECT_NEAR(shorter.rate(30), 0.5, 1e-12);  // the middle of the other 40 steps
    EXPECT_NEAR(shorter.rate(50), 0.0, 1e-12);
    EXPECT_NEAR(shorter.rate(99), 0.0, 1e-12);
    const Schedule longer({.use = ScheduleKind::linear, .length = config::Interval{20, true}}, 1.0, 100, 10);
    EXPECT_NEAR(longer.rate(100), 0.5, 1e-12);
    const Schedule drops(
        {.use = ScheduleKind::step, .length = config::Interval{3, true}, .factor = 0.1, .step_epochs = 2}, 1.0, 100,
        10);
    EXPECT_NEAR(drops.rate(29), 0.1, 1e-12);
    EXPECT_NEAR(drops.rate(99), 0.1, 1e-12);
}

// Two epochs had 10 steps. After them, with another batch size, epochs have 5 steps.
TEST(Schedule, counts_epochs_from_where_they_got_another_length) {
    const Schedule drops({.use = ScheduleKind::step, .length = {}, .factor = 0.1, .step_epochs = 3}, 1.0, 40, 5,
                         {.epoch = 2, .update = 20});
    EXPECT_NEAR(drops.rate(24), 1.0, 1e-12);
    EXPECT_NEAR(drops.rate(25), 0.1, 1e-12);
    const Schedule falls({.use = ScheduleKind::linear, .length = config::Interval{4, true}}, 1.0, 40, 5,
                         {.epoch = 2, .update = 20});
    EXPECT_NEAR(falls.rate(15), 0.5, 1e-12);
    EXPECT_NEAR(falls.rate(30), 0.0, 1e-12);
}

// The expected rates are those of torch.optim.lr_scheduler.ReduceLROnPlateau(factor=0.5, patience=1, threshold=0.1,
// min_lr=0.2).
TEST(Schedule, plateau_falls_when_nothing_is_gained) {
    const config::ScheduleSpec spec{
        .use = ScheduleKind::plateau, .length = {}, .factor = 0.5, .patience = 1, .threshold = 0.1, .min_rate = 0.2};
    const Schedule schedule(spec, 1.0, 100, 10);
    const std::vector<std::pair<double, double>> losses{{1.0, 1.0},  {0.95, 1.0},  {0.92, 0.5},  {0.8, 0.5},
                                                        {0.8, 0.5},  {0.79, 0.25}, {0.79, 0.25}, {0.79, 0.2},
                                                        {0.79, 0.2}, {0.79, 0.2}};
    Plateau plateau;
    for (const auto& [loss, rate] : losses) {
        plateau.observe(spec, 1.0, loss, false);
        EXPECT_NEAR(schedule.rate(50, plateau), rate, 1e-12) << loss;
    }
}

TEST(Schedule, plateau_can_want_more) {
    const config::ScheduleSpec spec{
        .use = ScheduleKind::plateau, .length = {}, .factor = 0.1, .patience = 0, .threshold = 0.0};
    Plateau plateau;
    plateau.observe(spec, 1.0, 30.0, true);
    plateau.observe(spec, 1.0, 31.0, true);
    EXPECT_EQ(plateau.scale, 1.0);
    plateau.observe(spec, 1.0, 30.5, true);
    EXPECT_NEAR(plateau.scale, 0.1, 1e-12);
    EXPECT_EQ(plateau.best, 31.0);
}

TEST(Schedule, step_falls_by_epochs) {
    const Schedule schedule({.use = ScheduleKind::step, .length = {}, .factor = 0.1, .step_epochs = 2}, 1.0, 100, 10);
    EXPECT_DOUBLE_EQ(schedule.rate(19), 1.0);
    EXPECT_NEAR(schedule.rate(20), 0.1, 1e-12);
    EXPECT_NEAR(schedule.rate(40), 0.01, 1e-12);
}

}  // namespace
}  // namespace sluice::run
