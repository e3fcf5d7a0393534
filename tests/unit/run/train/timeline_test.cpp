// How long a training is, and what is due after its steps.
#include "run/train/timeline.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "unit/plan_bench.hpp"

namespace sluice::test {
namespace {

config::PipelineSpec spec_of(const std::vector<std::string>& sets) {
    return config::load_pipeline_text(kModel, "test.toml", sets);
}

run::Progress at(std::uint64_t step, std::uint64_t epoch, std::uint64_t batch) {
    run::Progress progress;
    progress.step = step;
    progress.epoch = epoch;
    progress.batch = batch;
    return progress;
}

TEST(RunTimeline, the_last_step_of_an_epoch_takes_the_rest_of_its_batches) {
    const config::PipelineSpec spec = spec_of({"train.epochs=2", "train.accumulate=3"});
    run::Timeline timeline(spec, 7);
    timeline.begin({});
    EXPECT_EQ(timeline.steps_per_epoch(), 3U);
    EXPECT_EQ(timeline.last_step(), 6U);
    EXPECT_EQ(timeline.batches_of_step(at(0, 0, 0)), 3U);
    EXPECT_EQ(timeline.batches_of_step(at(2, 0, 6)), 1U);
    EXPECT_TRUE(timeline.is_epoch_begun(at(1, 0, 3)));
    EXPECT_FALSE(timeline.is_epoch_begun(at(2, 0, 6)));
    EXPECT_TRUE(timeline.is_epoch_done(at(3, 0, 7)));
    EXPECT_FALSE(timeline.is_done(at(5, 1, 6)));
    EXPECT_TRUE(timeline.is_done(at(6, 2, 0)));
}

TEST(RunTimeline, steps_of_the_pipeline_shorten_a_training_and_never_lengthen_it) {
    for (const auto& [steps, last] : {std::pair{4, 4U}, {100, 10U}, {0, 0U}}) {
        const config::PipelineSpec spec = spec_of({"train.epochs=2", "train.steps=" + std::to_string(steps)});
        run::Timeline timeline(spec, 5);
        timeline.begin({});
        EXPECT_EQ(timeline.last_step(), last) << steps;
    }
}

TEST(RunTimeline, a_resumed_training_has_the_steps_that_its_remaining_epochs_need) {
    const config::PipelineSpec spec = spec_of({"train.epochs=3"});
    run::Timeline timeline(spec, 4);
    timeline.begin(at(6, 1, 2));
    EXPECT_EQ(timeline.last_step(), 12U);
    timeline.begin(at(20, 1, 0));  // its first epoch had 20 batches
    EXPECT_EQ(timeline.last_step(), 28U);
    timeline.begin(at(20, 5, 0));  // it has more epochs than the pipeline now asks for
    EXPECT_EQ(timeline.last_step(), 20U);
}

TEST(RunTimeline, rates_follow_the_epochs_as_they_are_now) {
    const config::PipelineSpec spec = spec_of(
        {"train.epochs=4", "schedule={ use = \"step\", every_epochs = 1, factor = 0.5 }", "optimizer.rate=1.0"});
    run::Timeline timeline(spec, 2);
    timeline.begin({});
    EXPECT_DOUBLE_EQ(timeline.schedule().rate(0), 1.0);
    EXPECT_DOUBLE_EQ(timeline.schedule().rate(2), 0.5);
    timeline.begin(at(10, 1, 0));  // its first epoch had 10 batches
    EXPECT_DOUBLE_EQ(timeline.schedule().rate(10), 0.5);
    EXPECT_DOUBLE_EQ(timeline.schedule().rate(12), 0.25);
}

TEST(RunTimeline, intervals_count_steps_or_whole_epochs) {
    const config::Interval steps{.count = 3, .epochs = false};
    EXPECT_TRUE(run::Timeline::is_due(steps, at(6, 0, 6)));
    EXPECT_FALSE(run::Timeline::is_due(steps, at(7, 1, 0)));
    const config::Interval epochs{.count = 2, .epochs = true};
    EXPECT_TRUE(run::Timeline::is_due(epochs, at(8, 2, 0)));
    EXPECT_FALSE(run::Timeline::is_due(epochs, at(4, 1, 0)));
    EXPECT_FALSE(run::Timeline::is_due(epochs, at(9, 2, 1)));
}

TEST(RunTimeline, the_last_step_belongs_to_the_epoch_that_it_ends) {
    EXPECT_EQ(run::epoch_of_last_step(at(3, 0, 3)), 1);
    EXPECT_EQ(run::epoch_of_last_step(at(4, 1, 0)), 1);
    EXPECT_EQ(run::epoch_of_last_step(at(5, 1, 1)), 2);
}

TEST(RunTimeline, data_without_samples_are_refused) {
    const config::PipelineSpec spec = spec_of({});
    EXPECT_EQ(error_of([&] { const run::Timeline timeline(spec, 0); }), "the training data has no samples");
}

}  // namespace
}  // namespace sluice::test
