// When a training is evaluated, and what its scores mean.
#include "run/train/validation.hpp"

#include <gtest/gtest.h>

#include <limits>

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

}  // namespace
}  // namespace sluice::test
