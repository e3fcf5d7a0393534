// Workers and prefetch of a loader: what memory leaves for them, and when the autotuner is called.
#include "data/loader/autotuner_driver.hpp"

#include "unit/data/data_test_chain.hpp"

namespace sluice::data {
namespace {

LoaderOptions four_prefetched(std::uint64_t prefetch_bytes) {
    return {.batch = 2, .workers = 1, .prefetch = 4, .prefetch_bytes = prefetch_bytes, .fields = {"image"}};
}

double no_seconds() { return 0.0; }

TEST(autotuner_driver, prefetches_one_batch_until_their_size_is_known) {
    const LoaderOptions options = four_prefetched(100);
    AutotunerDriver tuning("data.train", options);
    EXPECT_EQ(tuning.worker_settings(), (WorkerSettings{.workers = 1, .prefetch = 1}));
    tuning.hand_out(0.0);
    EXPECT_TRUE(tuning.adjust(10, no_seconds));
    EXPECT_EQ(tuning.worker_settings(), (WorkerSettings{.workers = 1, .prefetch = 4}));
    EXPECT_EQ(tuning.news(), "");
}

TEST(autotuner_driver, reports_once_what_memory_does_not_allow) {
    const LoaderOptions options = four_prefetched(100);
    AutotunerDriver tuning("data.train", options);
    tuning.hand_out(0.0);
    EXPECT_TRUE(tuning.adjust(20, no_seconds));
    EXPECT_EQ(tuning.worker_settings().prefetch, 2);
    EXPECT_EQ(tuning.news(), "data.train: prefetching 2 batches instead of 4: data.memory leaves 100 B for them");
    tuning.hand_out(0.0);
    EXPECT_FALSE(tuning.adjust(20, no_seconds));
    EXPECT_EQ(tuning.news(), "");
}

TEST(autotuner_driver, prefetches_one_batch_if_the_memory_is_a_guess) {
    LoaderOptions options = four_prefetched(100);
    for (const bool allows_one_prefetched : {false, true}) {
        options.allows_one_prefetched = allows_one_prefetched;
        AutotunerDriver tuning("data.train", options);
        tuning.hand_out(0.0);
        tuning.adjust(1000, no_seconds);
        EXPECT_EQ(tuning.worker_settings().prefetch, allows_one_prefetched ? 1 : 0);
    }
}

TEST(autotuner_driver, begins_with_more_small_batches_if_it_may_choose) {
    LoaderOptions options = four_prefetched(1 << 20);
    const auto begins_with = [&](std::uint64_t sample_bytes) {
        AutotunerDriver tuning("data.train", options);
        tuning.hand_out(0.0);
        tuning.adjust(sample_bytes, no_seconds);
        return tuning.worker_settings().prefetch;
    };
    EXPECT_EQ(begins_with(10), 4) << "the pipeline says so";
    options.most_prefetch = 1000;
    EXPECT_EQ(begins_with(10), 32);
    EXPECT_EQ(begins_with(16 << 10), 8) << "a batch has 32 KiB";
    EXPECT_EQ(begins_with(100 << 10), 4);
    options.most_prefetch = 16;
    EXPECT_EQ(begins_with(10), 16);
}

TEST(autotuner_driver, asks_how_busy_threads_are_only_if_something_may_be_raised) {
    LoaderOptions options = four_prefetched(0);
    for (const std::int64_t most_workers : {0, 4}) {
        options.most_workers = most_workers;
        AutotunerDriver tuning("data.train", options);
        int asked = 0;
        for (int batch = 0; batch < 3; ++batch) {
            tuning.hand_out(0.0);
            EXPECT_EQ(tuning.adjust(10, [&] { return static_cast<double>(++asked); }), batch == 0);
        }
        EXPECT_EQ(asked, most_workers == 0 ? 0 : 1);
    }
}

}  // namespace
}  // namespace sluice::data
