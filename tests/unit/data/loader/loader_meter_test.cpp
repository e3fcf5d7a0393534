// The figures of a loader over all its threads, and where the threads are.
#include "data/loader/loader_meter.hpp"

#include <chrono>
#include <thread>

#include "unit/data/data_test_chain.hpp"

namespace sluice::data {
namespace {

// Two threads of a chain with one transform of whole batches.
class LoaderMeterTest : public testing::Test {
protected:
    LoaderMeterTest() {
        meter_.add_thread(first_samples_, first_batches_);
        meter_.add_thread(second_samples_, second_batches_);
    }

    StageTimes first_samples_{2};
    StageTimes first_batches_{1};
    StageTimes second_samples_{2};
    StageTimes second_batches_{1};
    LoaderMeter meter_{{"numbers", "noise", "mixup"}, 1, {true, false, false}};
};

TEST_F(LoaderMeterTest, adds_up_the_stages_of_all_threads) {
    first_samples_.enter(0, 7);
    first_samples_.enter(1, 7);
    first_samples_.leave();
    second_samples_.enter(0, 8);
    second_samples_.leave();
    second_batches_.enter(0, 3, 4);
    second_batches_.leave();
    const LoaderFigures figures = meter_.figures();
    ASSERT_EQ(figures.stages.size(), 3U);
    EXPECT_EQ(figures.stages[0].name, "numbers");
    EXPECT_EQ(figures.stages[0].sum.samples, 2U);
    EXPECT_EQ(figures.stages[1].sum.samples, 1U);
    EXPECT_EQ(figures.stages[2].name, "mixup");
    EXPECT_EQ(figures.stages[2].sum.samples, 4U);
    EXPECT_DOUBLE_EQ(meter_.busy_seconds(),
                     figures.stages[0].sum.seconds + figures.stages[1].sum.seconds + figures.stages[2].sum.seconds);
}

TEST_F(LoaderMeterTest, names_the_slowest_stage) {
    EXPECT_EQ(meter_.slowest_stage(), "numbers");
    first_samples_.enter(0, 7);
    first_samples_.enter(1, 7);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    first_samples_.leave();
    EXPECT_EQ(meter_.slowest_stage(), "noise");
}

TEST_F(LoaderMeterTest, divides_its_seconds_into_reading_and_preprocessing) {
    const auto spend = [](StageTimes& times, std::size_t stage) {
        times.enter(stage, 7);
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    };
    spend(first_samples_, 0);
    spend(first_samples_, 1);
    first_samples_.leave();
    spend(second_batches_, 0);  // it has not ended, and counts all the same
    const LoaderMeter::InputSeconds seconds = meter_.input_seconds();
    EXPECT_DOUBLE_EQ(seconds.read, meter_.figures().stages[0].sum.seconds);
    EXPECT_GE(seconds.read, 0.002);
    EXPECT_GE(seconds.preprocess, meter_.figures().stages[1].sum.seconds + 0.002);
}

TEST_F(LoaderMeterTest, counts_the_samples_that_this_process_made) {
    Batch batch;
    batch.count = 8;
    batch.made = {2, 5};
    meter_.count(batch, 1, 2, 0.5);
    meter_.count(batch, 0, 1, 0.25);
    const LoaderFigures figures = meter_.figures();
    EXPECT_EQ(figures.batches, 2U);
    EXPECT_EQ(figures.samples, 6U);
    EXPECT_EQ(figures.replaced, 1U);
    EXPECT_EQ(figures.ready, 3U);
    EXPECT_EQ(figures.waited, 0.75);
}

TEST_F(LoaderMeterTest, names_the_place_of_each_thread_in_a_stage) {
    EXPECT_EQ(meter_.places(), "no thread is working on a sample");
    first_samples_.enter(1, 17);
    first_samples_.set_name("a.jpg");
    second_batches_.enter(0, 3);
    expect_contains(meter_.places(), {"a thread is at 'noise' of sample 17 for ", " s (a.jpg), ",
                                      "a thread is at 'mixup' of batch 3 for "});
    first_samples_.leave();
    second_batches_.leave();
    EXPECT_EQ(meter_.places(), "no thread is working on a sample");
}

}  // namespace
}  // namespace sluice::data
