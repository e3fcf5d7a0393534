// Calls of a device in a step besides kernels and the optimizer (kind/step.h): those of the CPU, loaded from disk.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "registry/loading/registry.hpp"
#include "registry/optional/step_calls.hpp"
#include "run/network/threads.hpp"
#include "sluice/half.h"

namespace sluice::run {
namespace {

std::vector<float> uneven_values(std::size_t count) {
    std::vector<float> values(count);
    for (std::size_t i = 0; i < count; ++i) {
        values[i] = std::sin(static_cast<float>(i)) * std::pow(10.0F, static_cast<float>(i % 7) - 3.0F);
    }
    return values;
}

class StepCallsTest : public testing::Test {
protected:
    StepCallsTest()
        : registry_(SLUICE_TEST_PLUGIN_DIR, {}),
          device_(
              std::make_shared<const registry::Device>(registry_.find(registry::Kind::device, "cpu", {}), Table{}, 0)) {
        scalars.loss_seed = 2.0;
        scalars.step = 1;
    }

    [[nodiscard]] registry::StepCalls calls(const Threads& threads) const { return {device_, nullptr, threads.api()}; }

    double square_sum(int threads, const std::vector<float>& values) {
        const Threads team(threads);
        const registry::StepCalls calls = this->calls(team);
        std::vector<double> workspace(calls.workspace(values.size()) / sizeof(double) + 1);
        calls.sum_squares(values.data(), values.size(), &report, workspace.data());
        return report.square_sum;
    }

    void decide(double clip_norm, bool scales, bool has_norm) {
        const Threads team(1);
        sluice_step_rule rule{};
        rule.struct_size = sizeof(rule);
        rule.clip_norm = clip_norm;
        rule.scales_loss = scales ? 1 : 0;
        rule.has_norm = has_norm ? 1 : 0;
        calls(team).decide(rule, &scalars, &report);
    }

    sluice_step_report report{};
    sluice_step_scalars scalars{};

private:
    registry::Registry registry_;
    std::shared_ptr<const registry::Device> device_;
};

TEST_F(StepCallsTest, square_sum_is_the_same_for_any_number_of_threads) {
    const std::vector<float> values = uneven_values(100'003);
    double expected = 0.0;
    for (const float value : values) {
        expected += static_cast<double>(value) * static_cast<double>(value);
    }
    const double alone = square_sum(1, values);
    EXPECT_NEAR(alone, expected, 1e-9 * expected);
    for (const int count : {2, 3, 5}) {
        EXPECT_EQ(square_sum(count, values), alone) << count;
    }
    EXPECT_EQ(square_sum(2, {}), 0.0);
}

TEST_F(StepCallsTest, losses_of_all_parts_are_added) {
    const Threads team(1);
    report.loss_sum = 100.0;
    const std::vector<float> first{1.0F, 2.0F, 3.0F, 4.0F};
    const std::vector<float> second{0.5F, 1.0F};
    calls(team).add_loss(first.data(), 2, true, &report);
    calls(team).add_loss(second.data(), 1, false, &report);
    EXPECT_EQ(report.loss_sum, 4.5);
    EXPECT_EQ(report.loss_weight, 7.0);
}

TEST_F(StepCallsTest, gradients_are_divided_by_weight_and_seed_and_clipped) {
    report.loss_weight = 4.0;
    report.square_sum = 256.0;
    decide(0.0, false, true);
    EXPECT_EQ(report.ending, static_cast<std::uint32_t>(SLUICE_STEP_DONE));
    EXPECT_EQ(report.norm, 2.0);
    EXPECT_EQ(report.updates, 1U);
    EXPECT_EQ(scalars.gradient_scale, 0.125);
    EXPECT_EQ(scalars.skip, 0U);
    decide(0.5, false, true);
    EXPECT_DOUBLE_EQ(scalars.gradient_scale, 0.125 * 0.5 / (2.0 + 1e-6));
}

TEST_F(StepCallsTest, the_rate_is_that_of_the_update_that_comes_of_it) {
    const Threads team(1);
    const sluice_step_start start{
        .loss_seed = 0.5, .random_counter = 7, .first_update = 10, .rates = {0.4, 0.3, 0.2, 0.1}, .reserved = {}};
    sluice_step_rule plain{};
    plain.struct_size = sizeof(plain);
    sluice_step_rule scaled = plain;
    scaled.scales_loss = 1;
    report.loss_scale = 32.0;
    for (const auto& [updates, rate] : {std::pair{9, 0.4}, {11, 0.2}, {40, 0.1}}) {
        report.updates = static_cast<std::uint64_t>(updates);
        calls(team).begin(plain, &start, &report, &scalars);
        EXPECT_EQ(scalars.rate, rate);
        EXPECT_EQ(scalars.step, report.updates + 1);
        EXPECT_EQ(scalars.random_counter, 7U);
        EXPECT_EQ(scalars.loss_seed, 0.5);
        calls(team).begin(scaled, &start, &report, &scalars);
        EXPECT_EQ(scalars.loss_seed, 16.0);
    }
}

TEST_F(StepCallsTest, the_optimizer_skips_if_nothing_counts) {
    decide(0.0, false, false);
    EXPECT_EQ(report.ending, static_cast<std::uint32_t>(SLUICE_STEP_DONE));
    EXPECT_EQ(scalars.skip, 1U);
}

TEST_F(StepCallsTest, what_is_not_finite_skips_a_scaled_step_and_stops_another_for_good) {
    report.loss_weight = 1.0;
    report.loss_sum = std::numeric_limits<double>::infinity();
    decide(0.0, true, false);
    EXPECT_EQ(report.ending, static_cast<std::uint32_t>(SLUICE_STEP_SKIPPED));
    EXPECT_EQ(scalars.skip, 1U);
    report.loss_sum = 1.0;
    decide(0.0, true, false);
    EXPECT_EQ(report.ending, static_cast<std::uint32_t>(SLUICE_STEP_DONE));
    EXPECT_EQ(scalars.skip, 0U);

    report.square_sum = std::numeric_limits<double>::quiet_NaN();
    decide(1.0, false, true);
    EXPECT_EQ(report.ending, static_cast<std::uint32_t>(SLUICE_STEP_STOPPED));
    report.square_sum = 1.0;
    decide(1.0, false, true);
    EXPECT_EQ(report.ending, static_cast<std::uint32_t>(SLUICE_STEP_STOPPED));
    EXPECT_EQ(scalars.skip, 1U);
}

TEST_F(StepCallsTest, average_moves_by_a_share_that_falls_with_the_steps) {
    const Threads team(2);
    const std::vector<float> values = uneven_values(40'001);
    for (const auto& [step, decay] : {std::pair{1, 2.0 / 11.0}, {90, 0.91}, {1'000'000, 0.999}}) {
        std::vector<float> average(values.size(), 1.0F);
        scalars.step = static_cast<std::uint64_t>(step);
        calls(team).move_average(average.data(), values.data(), values.size(), 0.999, &scalars, &report);
        for (std::size_t i = 0; i < values.size(); ++i) {
            const double expected = decay + (1.0 - decay) * static_cast<double>(values[i]);
            ASSERT_NEAR(average[i], expected, 1e-6 * std::max(1.0, std::abs(expected))) << step << " " << i;
        }
    }
}

TEST_F(StepCallsTest, a_step_that_is_not_done_changes_no_average_and_is_taken_back) {
    const Threads team(1);
    const std::vector<float> values{1.0F, 2.0F, 3.0F};
    std::vector<float> target(3, 7.0F);
    calls(team).restore(target.data(), values.data(), 3, &report);
    EXPECT_EQ(target, std::vector<float>(3, 7.0F));
    report.ending = SLUICE_STEP_SKIPPED;
    calls(team).move_average(target.data(), values.data(), 3, 0.5, &scalars, &report);
    EXPECT_EQ(target, std::vector<float>(3, 7.0F));
    calls(team).restore(target.data(), values.data(), 3, &report);
    EXPECT_EQ(target, values);
}

TEST_F(StepCallsTest, parameters_are_rounded_to_both_types) {
    const Threads team(2);
    const std::vector<float> values = uneven_values(20'001);
    std::vector<std::uint16_t> rounded(values.size());
    calls(team).round(rounded.data(), values.data(), values.size(), kBfloat16);
    for (std::size_t i = 0; i < values.size(); ++i) {
        ASSERT_EQ(rounded[i], sluice_bfloat16_of_float(values[i])) << i;
    }
    calls(team).round(rounded.data(), values.data(), values.size(), kFloat16);
    for (std::size_t i = 0; i < values.size(); ++i) {
        ASSERT_EQ(rounded[i], sluice_float16_of_float(values[i])) << i;
    }
}

}  // namespace
}  // namespace sluice::run
