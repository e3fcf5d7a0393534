// The counts of `host bench`: arithmetic and bytes of launches, and spreads.
#include <gtest/gtest.h>

#include <algorithm>

#include "bench/bandwidth.hpp"
#include "bench/launch_work.hpp"
#include "bench/spread.hpp"
#include "unit/plan_bench.hpp"

namespace sluice::test {
namespace {

using bench::Arithmetic;
using bench::LaunchWork;
using plan::Direction;

double flops_of(const LaunchWork& work, Arithmetic kind) { return work.flops[static_cast<std::size_t>(kind)]; }

const LaunchWork& find_work(const std::vector<LaunchWork>& list, std::string_view path, Direction direction) {
    return *std::ranges::find_if(
        list, [&](const LaunchWork& work) { return work.path == path && work.launch.direction == direction; });
}

// The kernels compute single layers, so that each layer is a launch.
class BenchLaunchWork : public testing::Test {
protected:
    PlanBench bench_{{"device.kernels=[\"reference\"]"}};
    plan::Plan plan_ = bench_.plan(plan::Mode::train);
    std::vector<LaunchWork> list_ = bench::list_work(plan_);
};

TEST_F(BenchLaunchWork, forward_of_a_convolution) {
    const LaunchWork& stem = find_work(list_, "stem", Direction::forward);
    // Each of 2x16x16 pixels takes 3x3 taps from 3 to 8 channels, each with a multiplication and an addition.
    EXPECT_DOUBLE_EQ(flops_of(stem, Arithmetic::forward), 2.0 * 2 * 16 * 16 * 3 * 3 * 3 * 8);
    EXPECT_DOUBLE_EQ(stem.total_flops(), flops_of(stem, Arithmetic::forward));
    // The bytes are those of input, output, weights and biases in float32.
    EXPECT_DOUBLE_EQ(stem.bytes, 4.0 * (2 * 16 * 16 * (3 + 8) + 3 * 3 * 3 * 8 + 8));
}

TEST_F(BenchLaunchWork, first_layer_has_no_input_gradient) {
    const LaunchWork& stem = find_work(list_, "stem", Direction::backward);
    EXPECT_DOUBLE_EQ(flops_of(stem, Arithmetic::parameter_gradients), 2.0 * 2 * 16 * 16 * 3 * 3 * 3 * 8);
    EXPECT_DOUBLE_EQ(stem.total_flops(), flops_of(stem, Arithmetic::parameter_gradients));
}

TEST_F(BenchLaunchWork, later_layers_have_both_gradients) {
    const LaunchWork& forward = find_work(list_, "residual/conv2d", Direction::forward);
    const LaunchWork& backward = find_work(list_, "residual/conv2d", Direction::backward);
    EXPECT_GT(forward.total_flops(), 0.0);
    EXPECT_DOUBLE_EQ(flops_of(backward, Arithmetic::both_gradients), 2.0 * forward.total_flops());
    EXPECT_DOUBLE_EQ(backward.total_flops(), 2.0 * forward.total_flops());
}

TEST_F(BenchLaunchWork, every_launch_is_listed_in_the_order_in_which_it_runs) {
    std::size_t backward = 0;
    for (std::size_t i = 0; i < list_.size(); ++i) {
        const bool is_backward = list_[i].launch.direction == Direction::backward;
        EXPECT_TRUE(is_backward || list_[i].launch.step == i);
        EXPECT_TRUE(i == 0 || backward == 0 || list_[i].launch.step < list_[i - 1].launch.step);
        backward += is_backward ? 1 : 0;
    }
    EXPECT_EQ(list_.size() - backward, plan_.steps.size());
    EXPECT_EQ(backward, static_cast<std::size_t>(std::ranges::count_if(plan_.steps, &plan::Step::has_backward)));
}

TEST(BenchLaunchWorkRecomputed, has_the_work_of_forward_and_a_place_in_backward) {
    const PlanBench bench({"train.recompute=full"});
    const std::vector<LaunchWork> list = bench::list_work(bench.plan(plan::Mode::train));
    const LaunchWork& recompute = find_work(list, "residual/conv2d", Direction::recompute);
    const LaunchWork& forward = find_work(list, "residual/conv2d", Direction::forward);
    EXPECT_GT(recompute.total_flops(), 0.0);
    EXPECT_DOUBLE_EQ(recompute.total_flops(), forward.total_flops());
    EXPECT_DOUBLE_EQ(recompute.bytes, forward.bytes);
    EXPECT_LT(&forward, &recompute);
    EXPECT_LT(&recompute, &find_work(list, "residual/conv2d", Direction::backward));
}

TEST(Bandwidth, is_the_best_of_the_sizes_that_hold_the_bytes) {
    const std::vector<bench::Bandwidth> measured{{100, 9.0, 8.0, 7.0}, {1000, 3.0, 2.0, 4.0}, {10000, 5.0, 1.0, 1.0}};
    EXPECT_EQ(bench::bandwidth_for(measured, 100.0), 9.0);
    EXPECT_EQ(bench::bandwidth_for(measured, 101.0), 5.0);
    EXPECT_EQ(bench::bandwidth_for(measured, 1e6), 5.0);
}

TEST(Spread, quartiles_lie_between_values_in_proportion) {
    const bench::Spread spread = bench::spread_of({4.0, 1.0, 3.0, 2.0});
    EXPECT_DOUBLE_EQ(spread.least, 1.0);
    EXPECT_DOUBLE_EQ(spread.lower_quartile, 1.75);
    EXPECT_DOUBLE_EQ(spread.median, 2.5);
    EXPECT_DOUBLE_EQ(spread.upper_quartile, 3.25);
    EXPECT_DOUBLE_EQ(spread.most, 4.0);
    EXPECT_DOUBLE_EQ(bench::spread_of({7.0}).upper_quartile, 7.0);
}

}  // namespace
}  // namespace sluice::test
