// What `host bench` counts: arithmetic and bytes of launches, and spreads.
#include <gtest/gtest.h>

#include "bench/launch_work.hpp"
#include "bench/spread.hpp"
#include "plan_bench.hpp"

namespace sluice::test {
namespace {

using bench::Arithmetic;
using bench::LaunchWork;

double flops_of(const LaunchWork& work, Arithmetic kind) { return work.flops[static_cast<std::size_t>(kind)]; }

const LaunchWork& find_work(const std::vector<LaunchWork>& list, const std::string& path, bool is_backward) {
    return *std::ranges::find_if(
        list, [&](const LaunchWork& work) { return work.path == path && work.is_backward == is_backward; });
}

// With kernels of single layers, so that each layer is a launch.
class BenchWork : public testing::Test {
protected:
    PlanBench bench_{{"device.kernels=[\"reference\"]"}};
    plan::Plan plan_ = bench_.plan(plan::Mode::train);
    std::vector<LaunchWork> list_ = bench::list_work(plan_);
};

TEST_F(BenchWork, forward_of_a_convolution) {
    const LaunchWork& stem = find_work(list_, "stem", false);
    // 2x16x16 pixels, 3x3 from 3 to 8 channels, a multiplication and an addition each
    EXPECT_DOUBLE_EQ(flops_of(stem, Arithmetic::forward), 2.0 * 2 * 16 * 16 * 3 * 3 * 3 * 8);
    EXPECT_DOUBLE_EQ(stem.total_flops(), flops_of(stem, Arithmetic::forward));
    // input, output, weights and biases, float32
    EXPECT_DOUBLE_EQ(stem.bytes, 4.0 * (2 * 16 * 16 * (3 + 8) + 3 * 3 * 3 * 8 + 8));
}

TEST_F(BenchWork, first_layer_has_no_input_gradient) {
    const LaunchWork& stem = find_work(list_, "stem", true);
    EXPECT_DOUBLE_EQ(flops_of(stem, Arithmetic::parameter_gradients), 2.0 * 2 * 16 * 16 * 3 * 3 * 3 * 8);
    EXPECT_DOUBLE_EQ(stem.total_flops(), flops_of(stem, Arithmetic::parameter_gradients));
}

TEST_F(BenchWork, later_layers_have_both_gradients) {
    const LaunchWork& forward = find_work(list_, "residual/conv2d", false);
    const LaunchWork& backward = find_work(list_, "residual/conv2d", true);
    EXPECT_GT(forward.total_flops(), 0.0);
    EXPECT_DOUBLE_EQ(flops_of(backward, Arithmetic::both_gradients), 2.0 * forward.total_flops());
    EXPECT_DOUBLE_EQ(backward.total_flops(), 2.0 * forward.total_flops());
}

TEST_F(BenchWork, every_launch_is_listed_in_the_order_in_which_it_runs) {
    std::size_t backward = 0;
    for (std::size_t i = 0; i < list_.size(); ++i) {
        backward += list_[i].is_backward ? 1 : 0;
        EXPECT_TRUE(list_[i].is_backward || list_[i].step == i);
        EXPECT_TRUE(i == 0 || !list_[i - 1].is_backward || list_[i].step < list_[i - 1].step);
    }
    EXPECT_EQ(list_.size() - backward, plan_.steps.size());
    EXPECT_EQ(backward, static_cast<std::size_t>(std::ranges::count_if(plan_.steps, &plan::Step::has_backward)));
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
