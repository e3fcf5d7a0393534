// Forecasts of what replicas would exchange, compared with numbers that were computed by hand.
#include "run/collective/exchange_forecast.hpp"

#include <gtest/gtest.h>

#include "unit/plan_bench.hpp"

namespace sluice::run {
namespace {

// Four replicas have a link of 1 MB/s that takes a second for each message. They exchange 1024 gradients in four
// buckets, and 100 running statistics.
class ExchangeForecastOfFour : public testing::Test {
protected:
    ExchangeForecastOfFour() {
        plan_ = bench_.plan(plan::Mode::train);
        plan_.layout.parameter_count = 1024;
        plan_.layout.state_count = 100;
        bench_.spec.sharing.bucket = 1024;
    }
    [[nodiscard]] ExchangeForecast forecast(bool wants_norm = false) const {
        return {bench_.spec, plan_, wants_norm, 4};
    }

    test::PlanBench bench_;
    plan::Plan plan_;
    const Link link_{"slow", 1e6, 1.0};
};

TEST_F(ExchangeForecastOfFour, sums_go_around_twice) {
    EXPECT_DOUBLE_EQ(forecast().bytes_sent(), 2 * 0.75 * (4096 + 400 + 16));
    EXPECT_DOUBLE_EQ(forecast().seconds(link_), 2 * 3 * (6 * 1.0 + (4096 + 400 + 16) / 4.0 / 1e6));
    EXPECT_DOUBLE_EQ(forecast().seconds_beside_backward(link_), 2 * 3 * (3 * 1.0 + 3072 / 4.0 / 1e6));
}

TEST_F(ExchangeForecastOfFour, narrow_gradients_are_half_as_many_bytes) {
    bench_.spec.sharing.sends_bfloat16 = true;
    EXPECT_DOUBLE_EQ(forecast().bytes_sent(), 2 * 0.75 * (2048 + 400 + 16));
}

// Slices of gradients go around once, and so do parameters after the update.
TEST_F(ExchangeForecastOfFour, shared_updates_gather_parameters) {
    bench_.spec.sharing.shard_optimizer = true;
    EXPECT_DOUBLE_EQ(forecast().bytes_sent(), 0.75 * (4096 + 4096) + 2 * 0.75 * (400 + 16));
    EXPECT_DOUBLE_EQ(forecast(true).bytes_sent(), 0.75 * (4096 + 4096) + 2 * 0.75 * (400 + 16 + 8));
    EXPECT_DOUBLE_EQ(forecast().seconds_beside_backward(link_), 3 * (3 * 1.0 + 3072 / 4.0 / 1e6));
    bench_.spec.sharing.micro_shards = 4;  // the norm needs whole gradients
    EXPECT_DOUBLE_EQ(forecast(true).bytes_sent(), 0.75 * (2 * 4096 + 4096) + 2 * 0.75 * (400 + 16));
}

TEST_F(ExchangeForecastOfFour, nothing_overlaps_backward_if_replicas_keep_several_shards) {
    bench_.spec.sharing.micro_shards = 8;
    EXPECT_EQ(forecast().seconds_beside_backward(link_), 0.0);
}

}  // namespace
}  // namespace sluice::run
