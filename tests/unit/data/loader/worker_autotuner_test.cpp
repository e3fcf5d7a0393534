// The autotuner of workers and prefetch: it raises what is short, within its budget, and only what helps.
#include "data/loader/worker_autotuner.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "unit/data/data_test_chain.hpp"

namespace sluice::data {
namespace {

// Simulates a consumer that takes `step` seconds for a batch, and workers that each make one in `make` seconds.
class Course {
public:
    Course(WorkerAutotuner& tuner, double step, double make, AutotunerSums begin = {})
        : tuner_(tuner), sums_(begin), step_(step), make_(make) {
        tuner_.observe(sums_);
    }

    // Runs until the autotuner has decided `times` times.
    void decide(int times, double idle_share = 0.0) {
        for (int i = 0; i < times; i += tuner_.observe(sums_) ? 1 : 0) {
            const auto workers = static_cast<double>(tuner_.worker_settings().workers);
            const double waited = std::max(0.0, make_ / workers - step_);
            const double seconds = step_ + waited;
            sums_.seconds += seconds;
            sums_.waited += waited;
            sums_.busy += std::min(make_, seconds * workers) * (1.0 - idle_share);
            sums_.batches += 1;
        }
    }

    // From now on, a worker makes a batch in `make` seconds.
    void let_make_in(double make) { make_ = make; }

private:
    WorkerAutotuner& tuner_;
    AutotunerSums sums_;
    double step_;
    double make_;
};

TEST(worker_autotuner, raises_workers_until_the_consumer_no_longer_waits) {
    WorkerAutotuner tuner({1, 4}, {16, 100});
    Course course(tuner, 0.1, 0.35);
    course.decide(1);
    EXPECT_EQ(tuner.worker_settings(), (WorkerSettings{2, 4}));
    EXPECT_EQ(tuner.reason(), "");
    course.decide(1);
    EXPECT_EQ(tuner.worker_settings(), (WorkerSettings{4, 4}));
    course.decide(3);
    EXPECT_EQ(tuner.worker_settings(), (WorkerSettings{4, 4}));
    EXPECT_EQ(tuner.reason(), "the input keeps up");
}

TEST(worker_autotuner, raises_nothing_if_nobody_waits) {
    WorkerAutotuner tuner({1, 4}, {16, 100});
    Course(tuner, 0.1, 0.09).decide(3);
    EXPECT_EQ(tuner.worker_settings(), (WorkerSettings{1, 4}));
    EXPECT_EQ(tuner.reason(), "the input keeps up");
}

TEST(worker_autotuner, stops_at_the_cores) {
    WorkerAutotuner tuner({1, 4}, {3, 100});
    Course(tuner, 0.01, 0.5).decide(3);
    EXPECT_EQ(tuner.worker_settings(), (WorkerSettings{3, 4}));
    EXPECT_EQ(tuner.reason(), "all workers are busy, and there may be no more");
}

TEST(worker_autotuner, takes_back_what_does_not_help) {
    WorkerAutotuner tuner({1, 4}, {16, 100});
    // All workers wait for the same disk, however many there are.
    AutotunerSums sums;
    tuner.observe(sums);
    for (int decided = 0; decided < 3;) {
        sums.seconds += 0.1;
        sums.waited += 0.05;
        sums.busy += 0.1 * static_cast<double>(tuner.worker_settings().workers);
        sums.batches += 1;
        decided += tuner.observe(sums) ? 1 : 0;
    }
    EXPECT_EQ(tuner.worker_settings(), (WorkerSettings{1, 4}));
    EXPECT_EQ(tuner.reason(), "more workers did not help");
    // Later the disk is fast enough, so that more workers help.
    Course course(tuner, 0.1, 0.35, sums);
    course.decide(7);
    EXPECT_EQ(tuner.worker_settings(), (WorkerSettings{1, 4}));
    course.decide(4);
    EXPECT_EQ(tuner.worker_settings(), (WorkerSettings{4, 4}));
}

// The machine may have been busy with something else, or the new threads were still starting.
TEST(worker_autotuner, does_not_take_back_for_a_single_window) {
    WorkerAutotuner tuner({1, 4}, {16, 100});
    Course course(tuner, 0.1, 0.35);
    course.decide(1);
    EXPECT_EQ(tuner.worker_settings(), (WorkerSettings{2, 4}));
    course.let_make_in(0.75);
    course.decide(1);
    EXPECT_EQ(tuner.worker_settings(), (WorkerSettings{2, 4}));
    course.let_make_in(0.35);
    course.decide(1);
    EXPECT_EQ(tuner.worker_settings(), (WorkerSettings{4, 4}));
}

TEST(worker_autotuner, raises_prefetch_if_workers_are_idle_at_times) {
    WorkerAutotuner tuner({1, 4}, {16, 10});
    Course course(tuner, 0.1, 0.2);
    course.decide(1, 0.5);
    EXPECT_EQ(tuner.worker_settings(), (WorkerSettings{1, 8}));
    course.decide(2, 0.5);  // more prefetch changes nothing in this course
    EXPECT_EQ(tuner.worker_settings(), (WorkerSettings{1, 4}));
    EXPECT_EQ(tuner.reason(), "prefetching more batches did not help");
}

TEST(worker_autotuner, stops_at_the_memory_for_prefetched_batches) {
    WorkerAutotuner tuner({1, 4}, {16, 4});
    Course(tuner, 0.1, 0.2).decide(1, 0.5);
    EXPECT_EQ(tuner.worker_settings(), (WorkerSettings{1, 4}));
    EXPECT_EQ(tuner.reason(), "the memory for prefetched batches is used up");
}

TEST(worker_autotuner, has_nothing_to_do_if_both_are_given) {
    EXPECT_FALSE(WorkerAutotuner({2, 4}, {0, 0}).is_due({}));
    EXPECT_FALSE(WorkerAutotuner({2, 4}, {2, 4}).is_due({}));
    EXPECT_TRUE(WorkerAutotuner({2, 4}, {2, 5}).is_due({}));
}

TEST(worker_autotuner, does_not_judge_by_the_first_batch) {
    WorkerAutotuner tuner({1, 4}, {16, 100});
    EXPECT_FALSE(tuner.observe({.seconds = 100, .waited = 100, .busy = 100, .batches = 100}));
    EXPECT_EQ(tuner.worker_settings(), (WorkerSettings{1, 4}));
}

// Takes `batches` batches, each followed by a pause of `step`, and returns the loader's figures.
LoaderFigures consume(const Chain& chain, LoaderOptions options, std::chrono::milliseconds step, int batches) {
    Loader loader(chain, options);
    for (int i = 0; i < batches; ++i) {
        loader.next();
        std::this_thread::sleep_for(step);
    }
    return loader.figures();
}

// If the loader counted pauses as steps, a worker would seem idle half of the time.
TEST(worker_autotuner, of_a_loader_does_not_take_pauses_for_steps) {
    const Chain chain = make_chain("source = { use = \"test_numbers\", length = 23, wait_us = 5000 }\n");
    Loader loader(chain, {.batch = 4, .workers = 1, .prefetch = 2, .most_workers = 4, .fields = {"label"}});
    for (int i = 0; i < 100; ++i) {
        loader.next();
        if (i % 8 == 7) {
            loader.note_pause();
            std::this_thread::sleep_for(std::chrono::milliseconds(200));
        }
    }
    EXPECT_GT(loader.figures().workers, 1);
}

TEST(worker_autotuner, of_a_loader_wakes_the_workers_that_are_needed) {
    const LoaderOptions options{
        .batch = 4, .workers = 1, .prefetch = 2, .most_workers = 4, .prefetch_bytes = 0, .fields = {"label"}};
    const Chain slow = make_chain("source = { use = \"test_numbers\", length = 23, wait_us = 10000 }\n");
    EXPECT_EQ(consume(slow, options, {}, 150).workers, 4);
    const Chain quick = make_chain("source = { use = \"test_numbers\", length = 23, wait_us = 0 }\n");
    EXPECT_EQ(consume(quick, options, std::chrono::milliseconds(20), 60).workers, 1);
}

}  // namespace
}  // namespace sluice::data
