// The rules by which the loss scale moves.
#include <gtest/gtest.h>

#include <limits>

#include "registry/loading/registry.hpp"
#include "registry/optional/step_calls.hpp"
#include "run/network/loss_scaler.hpp"
#include "run/network/threads.hpp"

namespace sluice::test {
namespace {

sluice_precision_traits dynamic() {
    sluice_precision_traits traits{};
    traits.loss_scale = SLUICE_LOSS_SCALE_DYNAMIC;
    traits.growth_interval = 3;
    traits.scale = 8.0;
    traits.growth = 4.0;
    traits.backoff = 0.25;
    traits.floor = 1.0;
    traits.ceiling = 50.0;
    traits.most_skips = 3;
    return traits;
}

class RunLossScaler : public testing::Test {
protected:
    RunLossScaler() { begin(scaler.begin()); }

    // Takes steps on the CPU that continue from `report`.
    void step(bool skipped, int times = 1) {
        sluice_step_rule rule{};
        rule.struct_size = sizeof(rule);
        scaler.add_to(rule);
        sluice_step_scalars scalars{};
        scalars.loss_seed = 1.0;
        for (int i = 0; i < times; ++i) {
            report.loss_sum = skipped ? std::numeric_limits<double>::infinity() : 1.0;
            report.loss_weight = 1.0;
            calls.decide(rule, &scalars, &report);
        }
    }

    void begin(const run::LossScale& state) {
        report.loss_scale = state.value;
        report.good_steps = state.good_steps;
        report.skips_in_row = state.skips_in_row;
    }

    [[nodiscard]] bool gives_up() const { return scaler.gives_up({.skips_in_row = report.skips_in_row}); }

    run::LossScaler scaler{dynamic()};
    sluice_step_report report{};

private:
    registry::Registry registry_{SLUICE_TEST_PLUGIN_DIR, {}};
    run::Threads threads_{1};

protected:
    registry::StepCalls calls{
        std::make_shared<const registry::Device>(registry_.find(registry::Kind::device, "cpu", {}), Table{}, 0),
        nullptr, threads_.api()};
};

TEST_F(RunLossScaler, grows_after_a_row_of_good_steps_up_to_the_ceiling) {
    step(false, 2);
    EXPECT_EQ(report.loss_scale, 8.0);
    EXPECT_EQ(report.good_steps, 2U);
    step(false);
    EXPECT_EQ(report.loss_scale, 32.0);
    EXPECT_EQ(report.good_steps, 0U);
    step(false, 3);
    EXPECT_EQ(report.loss_scale, 50.0);
    step(false, 3);
    EXPECT_EQ(report.loss_scale, 50.0);
}

TEST_F(RunLossScaler, falls_with_a_skip_down_to_the_floor_and_counts_anew) {
    step(false, 2);
    step(true);
    EXPECT_EQ(report.loss_scale, 2.0);
    EXPECT_EQ(report.good_steps, 0U);
    step(false, 2);
    EXPECT_EQ(report.loss_scale, 2.0);  // the skip splits the row of good steps
    step(true);
    EXPECT_EQ(report.loss_scale, 1.0);
    step(true);
    EXPECT_EQ(report.loss_scale, 1.0);
    EXPECT_EQ(report.updates, 4U);
}

TEST_F(RunLossScaler, gives_up_after_skips_in_a_row_alone) {
    step(true, 2);
    step(false);
    step(true, 2);
    EXPECT_FALSE(gives_up());
    step(true);
    EXPECT_TRUE(gives_up());
    EXPECT_EQ(report.ending, static_cast<std::uint32_t>(SLUICE_STEP_SKIPPED));
}

TEST_F(RunLossScaler, lets_nothing_change_after_too_many_skips) {
    step(true, 3);
    step(false);
    EXPECT_EQ(report.ending, static_cast<std::uint32_t>(SLUICE_STEP_STOPPED));
    EXPECT_EQ(report.updates, 0U);
    EXPECT_EQ(report.skips_in_row, 3U);
}

TEST_F(RunLossScaler, that_is_static_stays) {
    sluice_precision_traits traits = dynamic();
    traits.loss_scale = SLUICE_LOSS_SCALE_STATIC;
    scaler = run::LossScaler(traits);
    begin(scaler.begin({.value = 2.0}));
    step(false, 9);
    EXPECT_EQ(report.loss_scale, 8.0);
    step(true, 3);
    EXPECT_EQ(report.loss_scale, 8.0);
    EXPECT_TRUE(gives_up());
}

TEST_F(RunLossScaler, goes_on_within_the_limits_of_its_policy) {
    EXPECT_EQ(scaler.begin({.value = 16.0, .good_steps = 2}).value, 16.0);
    EXPECT_EQ(scaler.begin({.value = 16.0, .good_steps = 2}).good_steps, 2U);
    EXPECT_EQ(scaler.begin({.value = 1e9}).value, 50.0);
    EXPECT_EQ(scaler.begin({.value = 0.5}).value, 1.0);
}

// A run that resumes without a loss scale keeps its number of skipped steps, on which its updates depend.
TEST_F(RunLossScaler, of_a_policy_without_a_scale_does_nothing) {
    scaler = run::LossScaler(sluice_precision_traits{});
    EXPECT_FALSE(scaler.scales());
    const run::LossScale state = scaler.begin({.value = 4.0, .good_steps = 1, .skips_in_row = 1, .skipped = 7});
    EXPECT_EQ(state.value, 0.0);
    EXPECT_EQ(state.good_steps, 0U);
    EXPECT_EQ(state.skips_in_row, 0U);
    EXPECT_EQ(state.skipped, 7U);
    EXPECT_FALSE(scaler.gives_up(state));
}

}  // namespace
}  // namespace sluice::test
