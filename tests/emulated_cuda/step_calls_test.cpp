// A GPU computes the same as the CPU in those parts of a step that are not kernels or the optimizer.
#include <algorithm>
#include <cstring>
#include <limits>

#include "plugin_test.hpp"
#include "registry/optional/step_calls.hpp"

namespace sluice::test {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

// Report and scalars as they are before decide().
struct Moment {
    sluice_step_report report{};
    sluice_step_scalars scalars{};
};

class GpuStepTest : public PluginTest {
protected:
    [[nodiscard]] const registry::StepCalls& on_gpu() const { return gpu_calls_; }
    [[nodiscard]] const registry::StepCalls& on_cpu() const { return cpu_calls_; }

    static Moment moment() {
        Moment made;
        std::ranges::fill(made.report.reserved, 3);
        std::ranges::fill(made.scalars.reserved, 5);
        made.report.loss_sum = 3.5;
        made.report.loss_weight = 7.0;
        made.report.square_sum = 1234.5;
        made.scalars.loss_seed = 1.0 / 96.0;
        made.scalars.step = 4;
        made.scalars.rate = 0.25;
        made.report.loss_scale = 64.0;
        made.report.updates = 3;
        made.report.good_steps = 1;
        return made;
    }

    [[nodiscard]] Moment decided_on_gpu(const sluice_step_rule& rule, const Moment& before) const {
        const registry::Block report = upload(std::vector<sluice_step_report>{before.report});
        const registry::Block scalars = upload(std::vector<sluice_step_scalars>{before.scalars});
        on_gpu().decide(rule, as<sluice_step_scalars>(scalars), as<sluice_step_report>(report));
        return {download<sluice_step_report>(report)[0], download<sluice_step_scalars>(scalars)[0]};
    }

    void expect_the_same_decision(const sluice_step_rule& rule, const Moment& before) const {
        Moment right = before;
        on_cpu().decide(rule, &right.scalars, &right.report);
        const Moment found = decided_on_gpu(rule, before);
        EXPECT_EQ(found.report.ending, right.report.ending);
        EXPECT_EQ(found.report.rate, right.report.rate);
        EXPECT_EQ(found.report.loss_scale, right.report.loss_scale);
        EXPECT_EQ(found.report.updates, right.report.updates);
        EXPECT_EQ(found.report.good_steps, right.report.good_steps);
        EXPECT_EQ(found.report.skips_in_row, right.report.skips_in_row);
        EXPECT_EQ(std::isfinite(found.report.norm), std::isfinite(right.report.norm));
        EXPECT_EQ(found.scalars.skip, right.scalars.skip);
        if (right.scalars.skip == 0) {
            EXPECT_DOUBLE_EQ(found.report.norm, right.report.norm);
            EXPECT_DOUBLE_EQ(found.scalars.gradient_scale, right.scalars.gradient_scale);
        }
    }

    [[nodiscard]] double square_sum(const std::vector<float>& values, std::size_t first = 0) const {
        const registry::Block block = upload(values);
        const registry::Block report = upload(std::vector<sluice_step_report>(1));
        const std::size_t count = values.size() - first;
        const registry::Block workspace(gpu(), on_gpu().workspace(count));
        on_gpu().sum_squares(as<float>(block) + first, count, as<sluice_step_report>(report), workspace.data());
        return download<sluice_step_report>(report)[0].square_sum;
    }

private:
    registry::StepCalls gpu_calls_{gpu(), stream(), nullptr};
    registry::StepCalls cpu_calls_{open("cpu"), nullptr, nullptr};
};

sluice_step_rule rule(double clip_norm, bool scales_loss, bool has_norm) {
    return {.struct_size = sizeof(sluice_step_rule),
            .clip_norm = clip_norm,
            .scales_loss = scales_loss ? 1U : 0U,
            .has_norm = has_norm ? 1U : 0U,
            .growth_interval = 2,
            .most_skips = 3,
            .growth = 4.0,
            .backoff = 0.25,
            .floor = 1.0,
            .ceiling = 100.0};
}

TEST_F(GpuStepTest, begins_as_the_cpu) {
    sluice_step_start start{
        .loss_seed = 1.0 / 96.0, .random_counter = 17, .first_update = 2, .rates = {8, 4, 2, 1}, .reserved = {}};
    for (const std::uint64_t updates : {1, 3, 9}) {
        Moment right = moment();
        right.report.updates = updates;
        const registry::Block begun = upload(std::vector<sluice_step_start>{start});
        const registry::Block report = upload(std::vector<sluice_step_report>{right.report});
        const registry::Block scalars = upload(std::vector<sluice_step_scalars>{right.scalars});
        on_cpu().begin(rule(0.0, true, true), &start, &right.report, &right.scalars);
        on_gpu().begin(rule(0.0, true, true), as<sluice_step_start>(begun), as<sluice_step_report>(report),
                       as<sluice_step_scalars>(scalars));
        const sluice_step_scalars found = download<sluice_step_scalars>(scalars)[0];
        EXPECT_EQ(std::memcmp(&found, &right.scalars, sizeof(found)), 0) << updates;
    }
}

TEST_F(GpuStepTest, adds_the_losses_of_all_parts) {
    const std::vector<float> first = uneven_values(2 * 600, 1.0F);
    const std::vector<float> second{0.5F, 1.0F};
    sluice_step_report right{};
    right.loss_sum = 100.0;
    const registry::Block report = upload(std::vector<sluice_step_report>{right});
    for (const bool is_first : {true, false}) {
        const std::vector<float>& pairs = is_first ? first : second;
        const registry::Block block = upload(pairs);
        on_cpu().add_loss(pairs.data(), pairs.size() / 2, is_first, &right);
        on_gpu().add_loss(as<float>(block), pairs.size() / 2, is_first, as<sluice_step_report>(report));
    }
    const sluice_step_report found = download<sluice_step_report>(report)[0];
    EXPECT_NEAR(found.loss_sum, right.loss_sum, 1e-9);
    EXPECT_NEAR(found.loss_weight, right.loss_weight, 1e-9);
}

TEST_F(GpuStepTest, sums_squares_of_any_number_of_values) {
    for (const std::size_t count : {1, 3, 4, 4095, 4096, 70'001}) {
        const std::vector<float> values = uneven_values(count, 0.0F);
        double right = 0.0;
        for (const float value : values) {
            right += static_cast<double>(value) * static_cast<double>(value);
        }
        EXPECT_NEAR(square_sum(values), right, 1e-12 * right) << count;
        const double less = static_cast<double>(values[0]) * static_cast<double>(values[0]);
        EXPECT_NEAR(square_sum(values, 1), right - less, 1e-12 * right) << count << ", from the second value";
    }
}

TEST_F(GpuStepTest, a_sum_of_squares_is_not_finite_if_one_value_is_not) {
    std::vector<float> values = uneven_values(9001, 0.0F);
    values[9000] = std::numeric_limits<float>::infinity();
    EXPECT_FALSE(std::isfinite(square_sum(values)));
    values[9000] = 1.0F;
    values[17] = kNaN;
    EXPECT_FALSE(std::isfinite(square_sum(values)));
}

TEST_F(GpuStepTest, decides_as_the_cpu) {
    for (const double clip_norm : {0.0, 0.5, 1e6}) {
        expect_the_same_decision(rule(clip_norm, false, true), moment());
    }
    expect_the_same_decision(rule(0.0, true, false), moment());
    Moment nothing_counts = moment();
    nothing_counts.report.loss_weight = 0.0;
    expect_the_same_decision(rule(1.0, false, true), nothing_counts);
}

TEST_F(GpuStepTest, decides_as_the_cpu_if_something_is_not_finite) {
    for (const bool scales_loss : {false, true}) {
        Moment endless_loss = moment();
        endless_loss.report.loss_sum = kInfinity;
        expect_the_same_decision(rule(0.0, scales_loss, false), endless_loss);
        Moment no_norm = moment();
        no_norm.report.square_sum = static_cast<double>(kNaN);
        expect_the_same_decision(rule(1.0, scales_loss, true), no_norm);
        Moment stopped = moment();
        stopped.report.ending = SLUICE_STEP_STOPPED;
        expect_the_same_decision(rule(0.0, scales_loss, true), stopped);
        Moment skipped_often = moment();
        skipped_often.report.skips_in_row = 3;
        expect_the_same_decision(rule(0.0, scales_loss, true), skipped_often);
    }
}

TEST_F(GpuStepTest, restores_unless_the_step_is_done) {
    const std::vector<float> after = uneven_values(1003, 0.0F);
    const std::vector<float> before = uneven_values(1003, 1.0F);
    for (const std::uint32_t ending : {SLUICE_STEP_DONE, SLUICE_STEP_SKIPPED, SLUICE_STEP_STOPPED}) {
        sluice_step_report step_report{};
        step_report.ending = ending;
        const registry::Block report = upload(std::vector<sluice_step_report>{step_report});
        const registry::Block to = upload(after);
        const registry::Block from = upload(before);
        on_gpu().restore(as<float>(to), as<float>(from), after.size(), as<sluice_step_report>(report));
        EXPECT_TRUE(same_bits(download<float>(to), ending == SLUICE_STEP_DONE ? after : before)) << ending;
    }
}

TEST_F(GpuStepTest, moves_an_average_as_the_cpu) {
    for (const std::uint64_t step : {1, 5000}) {
        for (const std::uint32_t ending : {SLUICE_STEP_DONE, SLUICE_STEP_SKIPPED}) {
            Moment now = moment();
            now.scalars.step = step;
            now.report.ending = ending;
            const std::vector<float> values = uneven_values(2051, 2.0F);
            std::vector<float> right = uneven_values(2051, 0.0F);
            const registry::Block average = upload(right);
            const registry::Block from = upload(values);
            const registry::Block report = upload(std::vector<sluice_step_report>{now.report});
            const registry::Block scalars = upload(std::vector<sluice_step_scalars>{now.scalars});
            on_cpu().move_average(right.data(), values.data(), values.size(), 0.99, &now.scalars, &now.report);
            on_gpu().move_average(as<float>(average), as<float>(from), values.size(), 0.99,
                                  as<sluice_step_scalars>(scalars), as<sluice_step_report>(report));
            EXPECT_TRUE(same_bits(download<float>(average), right)) << "step " << step << ", ending " << ending;
        }
    }
}

TEST_F(GpuStepTest, rounds_as_the_cpu) {
    std::vector<float> values = uneven_values(1003, 0.0F);
    for (const float special : {0.0F, -0.0F, 1e-8F, -6e-5F, 65519.0F, 65520.0F, -1e38F, 1.00390625F, 1.01171875F}) {
        values.push_back(special);
    }
    values.push_back(std::numeric_limits<float>::infinity());
    for (const sluice_dtype dtype : {kBfloat16, kFloat16}) {
        std::vector<std::uint16_t> right(values.size());
        on_cpu().round(right.data(), values.data(), values.size(), dtype);
        const registry::Block from = upload(values);
        const registry::Block to(gpu(), right.size() * sizeof(std::uint16_t));
        on_gpu().round(to.data(), as<float>(from), values.size(), dtype);
        EXPECT_EQ(download<std::uint16_t>(to), right) << to_string(dtype);
    }
}

}  // namespace
}  // namespace sluice::test
