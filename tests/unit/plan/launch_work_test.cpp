// The arithmetic and the bytes that are counted for each launch.
#include "plan/launch_work.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "unit/plan_bench.hpp"

namespace sluice::test {
namespace {

using plan::Direction;
using plan::LaunchWork;

const LaunchWork& find_work(const std::vector<LaunchWork>& list, std::string_view path, Direction direction) {
    return *std::ranges::find_if(
        list, [&](const LaunchWork& work) { return work.path == path && work.launch.direction == direction; });
}

// The kernels compute single layers, so that each layer is a launch.
class LaunchWorkList : public testing::Test {
protected:
    PlanBench bench_{{"device.kernels=[\"reference\"]"}};
    plan::Plan plan_ = bench_.plan(plan::Mode::train);
    std::vector<LaunchWork> list_ = plan::list_work(plan_);
};

TEST_F(LaunchWorkList, forward_of_a_convolution) {
    const LaunchWork& stem = find_work(list_, "stem", Direction::forward);
    // Each of 2x16x16 pixels takes 3x3 taps from 3 to 8 channels, each with a multiplication and an addition.
    EXPECT_DOUBLE_EQ(stem.flops, 2.0 * 2 * 16 * 16 * 3 * 3 * 3 * 8);
    EXPECT_DOUBLE_EQ(stem.done_flops, stem.flops);
    EXPECT_TRUE(stem.dtype == kFloat32);
    // The bytes are those of input, output, weights and biases in float32.
    EXPECT_DOUBLE_EQ(stem.bytes, 4.0 * (2 * 16 * 16 * (3 + 8) + 3 * 3 * 3 * 8 + 8));
}

TEST_F(LaunchWorkList, first_layer_has_no_input_gradient) {
    const LaunchWork& stem = find_work(list_, "stem", Direction::backward);
    EXPECT_DOUBLE_EQ(stem.flops, 2.0 * 2 * 16 * 16 * 3 * 3 * 3 * 8);
    EXPECT_DOUBLE_EQ(stem.done_flops, stem.flops);
}

TEST_F(LaunchWorkList, later_layers_have_both_gradients) {
    const LaunchWork& forward = find_work(list_, "residual/conv2d", Direction::forward);
    const LaunchWork& backward = find_work(list_, "residual/conv2d", Direction::backward);
    EXPECT_GT(forward.flops, 0.0);
    EXPECT_DOUBLE_EQ(backward.flops, 2.0 * forward.flops);
    EXPECT_DOUBLE_EQ(backward.done_flops, backward.flops);
}

TEST_F(LaunchWorkList, every_launch_is_listed_in_the_order_in_which_it_runs) {
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

TEST(LaunchWorkRecomputed, has_the_work_of_forward_and_a_place_in_backward) {
    const PlanBench bench({"train.recompute=full"});
    const std::vector<LaunchWork> list = plan::list_work(bench.plan(plan::Mode::train));
    const LaunchWork& recompute = find_work(list, "residual/conv2d", Direction::recompute);
    const LaunchWork& forward = find_work(list, "residual/conv2d", Direction::forward);
    EXPECT_GT(recompute.flops, 0.0);
    EXPECT_DOUBLE_EQ(recompute.flops, forward.flops);
    EXPECT_DOUBLE_EQ(recompute.bytes, forward.bytes);
    EXPECT_LT(&forward, &recompute);
    EXPECT_LT(&recompute, &find_work(list, "residual/conv2d", Direction::backward));
}

}  // namespace
}  // namespace sluice::test
