// Long series get fewer points.
#include <gtest/gtest.h>

#include <cmath>

#include "series/run_series.hpp"
#include "series/thinner.hpp"
#include "sluice/sdk/run.hpp"

namespace sluice::observers {
namespace {

std::vector<SeriesPoint> take(RunSeries& series, std::uint32_t kind, std::int64_t step,
                              const std::vector<sluice_scalar>& scalars) {
    sluice_event event{};
    event.struct_size = sizeof(event);
    event.kind = kind;
    event.step = step;
    event.epoch = step;
    event.scalars = scalars.data();
    event.scalar_count = scalars.size();
    return series.take(event);
}

sluice_scalar scalar(const char* name, double value) { return {sdk::text_of(name), value}; }

TEST(Series, keeps_all_points_at_first_and_then_fewer_with_means) {
    RunSeries series;
    std::vector<SeriesPoint> points;
    for (std::int64_t step = 1; step <= 8100; ++step) {
        const auto value = static_cast<double>(step);
        for (SeriesPoint& point :
             take(series, SLUICE_EVENT_STEP, step, {scalar("loss", value), scalar("rate", value)})) {
            points.push_back(std::move(point));
        }
    }
    ASSERT_EQ(points.size(), 2000U + 1000U + 1000U + 12U);
    EXPECT_EQ(points[1999].mean.step, 2000);
    EXPECT_EQ(points[1999].mean.values[0].name, "train/loss");
    EXPECT_EQ(points[1999].mean.values[0].value, 2000.0);
    EXPECT_EQ(points[2000].mean.step, 2002);
    EXPECT_EQ(points[2000].mean.values[0].value, 2001.5);
    EXPECT_EQ(points[2000].mean.values[1].value, 2002.0);  // a rate is a state: the last one counts
    EXPECT_EQ(points[3000].mean.step, 4004);
    EXPECT_EQ(points[3000].mean.values[0].value, 4002.5);
    EXPECT_EQ(points[4000].mean.step, 8008);
    const auto rest = take(series, SLUICE_EVENT_RUN_END, 8100, {});
    ASSERT_EQ(rest.size(), 1U);
    EXPECT_EQ(rest[0].mean.step, 8100);
    EXPECT_EQ(rest[0].mean.values[0].value, 8098.5);  // of steps 8097 to 8100
}

TEST(Series, resumes_with_the_same_points) {
    for (const std::int64_t first : {2001, 5000, 99990}) {
        EXPECT_EQ(last_of_point(first, 2000), first == 2001 ? 2002 : first == 5000 ? 5000 : 100032);
    }
    RunSeries series;
    EXPECT_TRUE(take(series, SLUICE_EVENT_STEP, 5001, {scalar("loss", 1.0)}).empty());
    // The steps 5002 to 5004 were dropped.
    const auto points = take(series, SLUICE_EVENT_STEP, 5005, {scalar("loss", 3.0)});
    ASSERT_EQ(points.size(), 1U);
    EXPECT_EQ(points[0].mean.step, 5001);
    EXPECT_EQ(points[0].mean.values[0].value, 1.0);
}

TEST(Series, hides_no_number_that_is_not_finite) {
    RunSeries series;
    take(series, SLUICE_EVENT_STEP, 2001, {scalar("loss", NAN)});
    const auto points = take(series, SLUICE_EVENT_STEP, 2002, {scalar("loss", 1.0)});
    ASSERT_EQ(points.size(), 1U);
    EXPECT_TRUE(std::isnan(points[0].mean.values[0].value));
    // The next point is free of it.
    take(series, SLUICE_EVENT_STEP, 2003, {scalar("loss", 1.0)});
    EXPECT_EQ(take(series, SLUICE_EVENT_STEP, 2004, {scalar("loss", 2.0)}).at(0).mean.values[0].value, 1.5);
}

TEST(Series, takes_any_number) {
    RunSeries series;
    for (const std::int64_t step : {INT64_MIN, std::int64_t{0}, INT64_MAX, INT64_MAX}) {
        take(series, SLUICE_EVENT_STEP, step, {scalar("loss", 1.0)});
    }
    EXPECT_LE(take(series, SLUICE_EVENT_RUN_END, 0, {}).size(), 1U);
}

TEST(Series, names_evaluations_epochs_and_usage) {
    RunSeries series;
    const auto name = [&](std::uint32_t kind, const char* scalar_name) {
        return take(series, kind, 1, {scalar(scalar_name, 1.0)}).at(0).mean.values.at(0).name;
    };
    EXPECT_EQ(name(SLUICE_EVENT_EVALUATION, "psnr"), "evaluation/psnr");
    EXPECT_EQ(name(SLUICE_EVENT_EPOCH_END, "loss"), "epoch/loss");
    EXPECT_EQ(name(SLUICE_EVENT_USAGE, "cpu"), "usage/cpu");
    EXPECT_EQ(name(SLUICE_EVENT_STEP, "data_seconds"), "time/data_seconds");
    EXPECT_EQ(name(SLUICE_EVENT_STEP, "loss"), "train/loss");
}

TEST(Thinner, leaves_out_more_the_more_there_is) {
    Thinner thinner(100);
    std::vector<int> taken;
    for (int i = 0; i < 100; ++i) {
        if (thinner.take()) {
            thinner.used(25);
            taken.push_back(i);
        }
    }
    EXPECT_EQ(taken, (std::vector<int>{0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96}));
}

}  // namespace
}  // namespace sluice::observers
