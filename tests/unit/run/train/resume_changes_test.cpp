// A resumed run's reports about changes of its pipeline or data, and the place where it resumes.
#include "run/train/resume_changes.hpp"

#include <gtest/gtest.h>

#include "unit/plan_bench.hpp"

namespace sluice::test {
namespace {

// Returns the progress of a run that stopped in its third epoch, after the first of four batches.
run::Progress stopped() {
    run::Progress progress;
    progress.step = 9;
    progress.epoch = 2;
    progress.batch = 1;
    progress.epoch_batches = 4;
    progress.epoch_loss = {.sum = 3.0, .weight = 2.0};
    progress.loader_state = {.digest_state = "state", .digested = 1, .bad_samples = {5}};
    progress.data = {.order = "8: 1 2 3", .batches = 1, .sha256 = "abc"};
    return progress;
}

TEST(RunResumeChanges, nothing_is_said_of_the_same_data) {
    run::Progress progress = stopped();
    EXPECT_EQ(run::fit_epoch(progress, 4, "8: 1 2 3"), std::nullopt);
    EXPECT_EQ(progress.batch, 1U);
    EXPECT_EQ(progress.loader_state.digest_state, "state");
}

TEST(RunResumeChanges, an_epoch_of_other_data_begins_anew) {
    for (const auto& [batches, order, words] : {std::tuple{5U, "10: 1 2 3", "an epoch has 5 batches, and had 4"},
                                                {4U, "7: 1 2 3", "an epoch has 7 samples, and had 8"},
                                                {4U, "8: 3 2 1", "samples come in another order"}}) {
        run::Progress progress = stopped();
        const std::string warning = run::fit_epoch(progress, batches, order).value_or("none");
        EXPECT_TRUE(warning.starts_with(words)) << warning;
        EXPECT_TRUE(warning.ends_with("epoch 3 begins anew")) << warning;
        EXPECT_EQ(progress.step, 9U);
        EXPECT_EQ(progress.epoch, 2U);
        EXPECT_EQ(progress.batch, 0U);
        EXPECT_EQ(progress.epoch_batches, batches);
        EXPECT_EQ(progress.epoch_loss.weight, 0.0);
        EXPECT_TRUE(progress.loader_state.bad_samples.empty());
    }
}

TEST(RunResumeChanges, between_epochs_more_samples_are_mentioned) {
    run::Progress progress = stopped();
    progress.batch = 0;
    EXPECT_EQ(run::fit_epoch(progress, 5, "10: 1 2 3"), "an epoch has 10 samples from epoch 3 on, and had 8 before");
    EXPECT_EQ(progress.epoch_batches, 5U);
}

TEST(RunResumeChanges, weights_of_an_epochs_last_step_go_on_with_the_next_epoch) {
    run::Progress progress = stopped();
    progress.batch = 4;
    EXPECT_EQ(run::fit_epoch(progress, 4, "8: 1 2 3"), std::nullopt);
    EXPECT_EQ(progress.epoch, 3U);
    EXPECT_EQ(progress.batch, 0U);
    EXPECT_TRUE(progress.loader_state.digest_state.empty());
    EXPECT_EQ(progress.loader_state.bad_samples, std::vector<std::uint64_t>{5});
}

TEST(RunResumeChanges, classes_with_another_name_are_warned_of) {
    run::Progress progress;
    progress.class_names = {{"label", {"cat", "dog"}}};
    EXPECT_EQ(run::fit_class_names(progress, {{"label", {"cat", "dog"}}}), std::nullopt);
    EXPECT_EQ(run::fit_class_names(progress, {}), std::nullopt);
    EXPECT_EQ(progress.class_names, (data::ClassNames{{"label", {"cat", "dog"}}}));
    const std::string warning = run::fit_class_names(progress, {{"label", {"cat", "fox"}}}).value_or("none");
    EXPECT_TRUE(warning.starts_with("class 1 of field 'label' is 'fox' in the data now; it was 'dog'")) << warning;
    EXPECT_EQ(progress.class_names, (data::ClassNames{{"label", {"cat", "fox"}}}));
}

// Scores that were measured in another way cannot be compared.
TEST(RunResumeChanges, the_best_starts_over_if_its_measure_has_changed) {
    const auto spec_of = [](const std::vector<std::string>& more) {
        std::vector<std::string> sets{R"(data.validation.source={ use = "dead_leaves", count = 4, size = [16, 16] })",
                                      R"(metrics.use=["psnr", "ssim"])"};
        sets.insert(sets.end(), more.begin(), more.end());
        return config::load_pipeline_text(kModel, "test.toml", sets);
    };
    const config::PipelineSpec before = spec_of({});
    const auto scored = [] {
        run::Progress progress;
        progress.best = 30.0;
        progress.best_step = 7;
        progress.plateau.best = 30.0;
        progress.plateau.waited = 2;
        return progress;
    };
    run::Progress same = scored();
    EXPECT_EQ(run::reset_changed_best(same, before, spec_of({"train.epochs=9"})), std::nullopt);
    EXPECT_EQ(same.best_step, 7U);
    EXPECT_EQ(same.plateau.waited, 2U);
    for (const auto& [set, name] : {std::pair{"data.validation.source.count=3", "([data.validation])"},
                                    {"checkpoint.monitor=ssim", "(the metric)"},
                                    {"seed=5", "(seed)"}}) {
        run::Progress progress = scored();
        const std::string warning = run::reset_changed_best(progress, before, spec_of({set})).value_or("none");
        EXPECT_NE(warning.find(name), std::string::npos) << warning;
        EXPECT_NE(warning.find("of step 7"), std::string::npos) << warning;
        EXPECT_FALSE(progress.best.has_value());
        EXPECT_EQ(progress.best_step, 0U);
        const bool plateau_starts_over = std::string_view(set) != "checkpoint.monitor=ssim";
        EXPECT_EQ(progress.plateau.best.has_value(), !plateau_starts_over) << set;
    }
}

TEST(RunResumeChanges, rates_and_epochs_that_count_from_the_beginning_are_explained) {
    const auto spec_of = [](const std::vector<std::string>& sets) {
        return config::load_pipeline_text(kModel, "test.toml", sets);
    };
    const config::PipelineSpec before = spec_of({"train.epochs=4", "schedule={ use = \"cosine\" }"});
    const config::PipelineSpec now =
        spec_of({"train.epochs=6", "schedule={ use = \"cosine\" }", "optimizer.rate=0.01"});
    run::Progress progress;
    progress.epoch = 3;
    EXPECT_TRUE(run::describe_changes(before, before, progress, 1e-4).empty());
    const std::vector<std::string> lines = run::describe_changes(before, now, progress, 0.002);
    ASSERT_EQ(lines.size(), 2U);
    EXPECT_TRUE(lines[0].starts_with("optimizer.rate is 0.01, and schedule \"cosine\" continues where it is"))
        << lines[0];
    EXPECT_TRUE(lines[1].ends_with("of the run: 3 done, 3 left")) << lines[1];
    EXPECT_EQ(run::describe_changes(before, now, progress, 0.01).size(), 1U);  // the rate is the requested one
}

}  // namespace
}  // namespace sluice::test
