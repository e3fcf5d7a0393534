// Running statistics that stay as they were: of a step that is rolled back, and of layers that normalise one value.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "run/network/single_value_backup.hpp"
#include "run/network/step_rollback.hpp"
#include "unit/plan_bench.hpp"

namespace sluice::test {
namespace {

class RunRunningBackups : public testing::Test {
protected:
    void set(float value) { std::fill_n(weights_.running(), weights_.running_count(), value); }
    [[nodiscard]] std::vector<float> values() const {
        return {weights_.running(), weights_.running() + weights_.running_count()};
    }
    void expect_all(float value) const { EXPECT_EQ(values(), std::vector<float>(weights_.running_count(), value)); }
    [[nodiscard]] run::StepRollback rollback(bool is_wanted) const {
        return {bench_.tools.device, nullptr, weights_, is_wanted};
    }

    // There are two norms of eight channels. The second one has a single value of each sample.
    const PlanBench bench_{{"device.measure=false"}, pipeline_of(R"(
  { type = "conv2d", filters = 8 },
  { type = "batch_norm", name = "usual" },
  { type = "global_average_pool", keep_extents = true },
  { type = "batch_norm", name = "pooled" },
  { type = "upsample", factor = 16 },
  { type = "conv2d", filters = 3 },
)")};
    const plan::Plan plan_ = bench_.plan(plan::Mode::train);
    run::Weights weights_{bench_.tools.device, plan_, {}};
};

TEST_F(RunRunningBackups, an_unfinished_step_is_taken_back_once) {
    run::StepRollback rollback = this->rollback(true);
    set(1.0F);
    rollback.begin();
    rollback.take();
    set(2.0F);
    rollback.abandon();
    expect_all(1.0F);

    set(3.0F);
    rollback.abandon();
    expect_all(3.0F);

    rollback.begin();
    rollback.take();
    set(4.0F);
    rollback.end();
    rollback.abandon();
    expect_all(4.0F);
}

TEST_F(RunRunningBackups, work_of_a_search_changes_nothing_if_steps_are_taken_back) {
    for (const bool is_wanted : {true, false}) {
        run::StepRollback rollback = this->rollback(is_wanted);
        set(1.0F);
        rollback.keep_over([&] { set(2.0F); });
        expect_all(is_wanted ? 1.0F : 2.0F);
        rollback.begin();
        rollback.take();
        set(3.0F);
        rollback.abandon();
        expect_all(is_wanted ? 1.0F : 3.0F);
    }
}

TEST_F(RunRunningBackups, a_layer_of_one_value_keeps_its_statistics) {
    const run::SingleValueBackup backup(bench_.tools.device, nullptr, weights_, plan_.graph);
    for (const bool is_one : {true, false}) {
        set(1.0F);
        backup.keep_over(is_one, true, [&] { set(2.0F); });
        const std::vector<float> found = values();
        const std::ptrdiff_t kept = is_one ? 2 * 8 : 0;  // mean and variance of 'pooled'
        EXPECT_EQ(std::ranges::count(found, 1.0F), kept);
        EXPECT_EQ(std::ranges::count(found, 2.0F), static_cast<std::ptrdiff_t>(found.size()) - kept);
    }
}

}  // namespace
}  // namespace sluice::test
