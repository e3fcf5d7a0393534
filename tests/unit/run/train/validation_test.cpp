// When a training is evaluated, and what its scores mean.
#include "run/train/validation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>

#include "run/setup/loader_setup.hpp"
#include "unit/plan_bench.hpp"

namespace sluice::test {
namespace {

config::PipelineSpec validated_spec(std::vector<std::string> sets) {
    sets.emplace_back("data.validation.source={ use = \"dead_leaves\", count = 4, size = [16, 16] }");
    return config::load_pipeline_text(kModel, "test.toml", sets);
}

run::Evaluation evaluation_of(double loss, double psnr) {
    run::Evaluation evaluation;
    evaluation.loss = {.sum = loss, .weight = 1.0};
    evaluation.metrics = {{.name = "psnr", .value = psnr, .higher_is_better = true}};
    return evaluation;
}

TEST(RunValidation, is_due_at_its_interval_at_the_end_and_while_it_is_owed) {
    const config::PipelineSpec spec = validated_spec({"train.epochs=2", "evaluate.every=\"3 steps\""});
    run::Timeline timeline(spec, 5);
    timeline.begin({});
    run::Progress progress;
    std::vector<std::uint64_t> due;
    for (progress.step = 1; progress.step <= 10; ++progress.step) {
        progress.epoch = progress.step / 5;
        progress.batch = progress.step % 5;
        if (run::is_evaluation_due(spec, timeline, progress)) {
            due.push_back(progress.step);
        }
    }
    EXPECT_EQ(due, (std::vector<std::uint64_t>{3, 6, 9, 10}));
    progress.step = 4;
    progress.owes_evaluation = true;
    EXPECT_TRUE(run::is_evaluation_due(spec, timeline, progress));
}

TEST(RunValidation, the_best_score_is_by_the_monitored_metric_and_finite) {
    const config::PipelineSpec by_metric = validated_spec({"checkpoint.monitor=\"psnr\""});
    const config::PipelineSpec by_loss = validated_spec({"checkpoint.monitor=\"loss\""});
    run::Progress progress;
    progress.step = 8;
    EXPECT_FALSE(run::note_score(by_metric, evaluation_of(1.0, std::numeric_limits<double>::quiet_NaN()), progress));
    EXPECT_FALSE(progress.best);
    EXPECT_TRUE(run::note_score(by_metric, evaluation_of(1.0, 20.0), progress));
    EXPECT_EQ(progress.best_step, 8U);
    progress.step = 9;
    EXPECT_FALSE(run::note_score(by_metric, evaluation_of(0.5, 20.0), progress));
    EXPECT_FALSE(run::note_score(by_metric, evaluation_of(0.5, 19.0), progress));
    EXPECT_TRUE(run::note_score(by_loss, evaluation_of(0.5, 19.0), progress));
    EXPECT_EQ(progress.best, 0.5);
    EXPECT_EQ(progress.best_step, 9U);
}

TEST(RunValidation, a_plateau_lowers_the_rate_after_its_patience) {
    const config::PipelineSpec spec = validated_spec(
        {"schedule={ use = \"plateau\", patience = 1, factor = 0.5, monitor = \"loss\" }", "optimizer.rate=1.0"});
    run::Progress progress;
    for (const double loss : {1.0, 1.0, 1.0}) {
        EXPECT_DOUBLE_EQ(progress.plateau.scale, 1.0);
        run::note_score(spec, evaluation_of(loss, 20.0), progress);
    }
    EXPECT_DOUBLE_EQ(progress.plateau.scale, 0.5);
}

TEST(RunValidation, other_samples_forget_the_best_score) {
    run::Progress progress;
    progress.best = 20.0;
    progress.best_step = 8;
    progress.plateau.best = 20.0;
    progress.plateau.waited = 2;
    EXPECT_FALSE(run::note_validation_samples(progress, "one"));  // no samples were noted before
    EXPECT_FALSE(run::note_validation_samples(progress, "one"));
    EXPECT_EQ(progress.best, 20.0);
    EXPECT_TRUE(run::note_validation_samples(progress, "two"));
    EXPECT_EQ(progress.validation_sha256, "two");
    EXPECT_FALSE(progress.best);
    EXPECT_FALSE(progress.plateau.best);
    EXPECT_EQ(progress.plateau.waited, 0U);
}

// Two batches of two samples.
class RunValidationOfReplica : public testing::Test {
protected:
    PlanBench bench_{{"data.validation.source={ use = \"dead_leaves\", count = 4, size = [16, 16] }",
                      "data.validation.map=[{ use = \"motion_blur\", from = \"sharp\", to = \"blurred\", length = 5, "
                      "angle = 0 }]"}};
    run::ReplicaGroup replicas_{std::make_unique<run::Replica>(bench_.spec, bench_.tools, nullptr, bench_.fields, 2)};
    registry::Processes processes_;
    data::Chain chain_{*bench_.spec.data.validation, bench_.registry, 7, "data.validation"};
    data::Loader loader_{chain_, run::loader_options(bench_.spec, false, 1)};
    run::Validation validation_{bench_.spec, replicas_, processes_, &loader_};
};

TEST_F(RunValidationOfReplica, runs_when_an_evaluation_is_owed) {
    run::Progress progress;
    EXPECT_FALSE(validation_.check_if_due(progress, false));
    EXPECT_FALSE(validation_.check_if_due(progress, true));
    progress.owes_evaluation = true;
    EXPECT_TRUE(validation_.check_if_due(progress, false));
    progress.loss_scale.skips_in_row = 1;
    EXPECT_TRUE(validation_.check_if_due(progress, false)) << "no evaluation has failed";
}

TEST_F(RunValidationOfReplica, waits_for_a_step_that_is_not_skipped) {
    run::Progress progress;
    progress.owes_evaluation = true;
    validation_.postpone_until_update();
    for (progress.loss_scale.skips_in_row = 1; progress.loss_scale.skips_in_row < 4;
         ++progress.loss_scale.skips_in_row) {
        EXPECT_FALSE(validation_.check_if_due(progress, false));
        EXPECT_TRUE(validation_.waits_for_update());
    }
    progress.loss_scale.skips_in_row = 0;
    EXPECT_TRUE(validation_.check_if_due(progress, false));
    EXPECT_FALSE(validation_.waits_for_update());
}

TEST_F(RunValidationOfReplica, waits_no_longer_than_the_last_step) {
    run::Progress progress;
    progress.owes_evaluation = true;
    progress.loss_scale.skips_in_row = 3;
    validation_.postpone_until_update();
    EXPECT_TRUE(validation_.check_if_due(progress, true));
    EXPECT_FALSE(validation_.waits_for_update());
}

TEST_F(RunValidationOfReplica, measures_all_samples_unless_it_is_stopped) {
    const auto measure_all = [&] { return validation_.measure([] { return false; }); };
    EXPECT_TRUE(validation_.has_data());
    const run::Evaluation whole = measure_all();
    EXPECT_EQ(whole.samples.size(), 4U);
    EXPECT_TRUE(std::isfinite(whole.loss.mean()));
    ASSERT_EQ(whole.metrics.size(), 2U);
    EXPECT_FALSE(whole.metrics[0].of_input);
    EXPECT_TRUE(whole.metrics[1].of_input);
    const std::string samples = validation_.sha256();
    EXPECT_FALSE(samples.empty());
    int asked = 0;
    const run::Evaluation part = validation_.measure([&] { return ++asked > 1; });
    ASSERT_EQ(part.samples.size(), 2U);
    EXPECT_EQ(part.samples[1].values, whole.samples[1].values);
    (void)measure_all();
    EXPECT_EQ(validation_.sha256(), samples);
}

}  // namespace
}  // namespace sluice::test
