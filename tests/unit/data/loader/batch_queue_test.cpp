// The queue of samples to make and batches to take, without threads: which comes next, and when a batch is complete.
#include "data/loader/batch_queue.hpp"

#include <limits>

#include "unit/data/data_test_chain.hpp"

namespace sluice::data {
namespace {

constexpr std::uint64_t kNoEnd = std::numeric_limits<std::uint64_t>::max();

class BatchQueueTest : public testing::Test {
protected:
    // Puts 5 samples of one byte into batches of 2, so an epoch has 3 batches.
    BatchQueueTest() {
        const std::vector<registry::Field> one_byte = {
            {.name = "image", .role = SLUICE_FIELD_IMAGE, .spec = make_spec(kUint8, {1})}};
        fields_ = one_byte;
        queue_.emplace("data.train", layout_, InFlightBatches({0}, fields_, 2, {}),
                       WorkerSettings{.workers = 1, .prefetch = 2});
    }

    BatchQueue::Wanted wait() { return queue_->wait_for_wanted({.stall_seconds = 0.0, .stop = never_, .stalled = {}}); }
    // Takes the next task as the caller does, and finishes it. Returns "epoch:position", or "" if there is no task.
    std::string make_one() {
        const auto task = queue_->take_wanted();
        if (!task) {
            return "";
        }
        EXPECT_EQ(queue_->finish(*task, nullptr, false), nullptr);
        return std::to_string(task->epoch) + ":" + std::to_string(task->epoch_position);
    }
    std::string make_batch() {
        std::string made;
        for (std::string one = make_one(); !one.empty(); one = make_one()) {
            made += one + " ";
        }
        return made;
    }

    std::string failure_of_wanted() {
        return error_of([&] { static_cast<void>(wait().slot.result("data.train")); });
    }

    BatchLayout layout_{5, 2};
    std::vector<registry::Field> fields_;
    const std::function<bool()> never_;
    std::optional<BatchQueue> queue_;
};

TEST_F(BatchQueueTest, gives_samples_in_order_over_the_ends_of_epochs) {
    queue_->restart(1, kNoEnd);
    for (const std::string expected : {"0:2 0:3 ", "0:4 ", "1:0 1:1 ", "1:2 1:3 "}) {
        EXPECT_EQ(make_batch(), expected);
        EXPECT_EQ(make_batch(), "") << "the batch is already complete";
        EXPECT_EQ(wait().ready, 1U);
        queue_->hold();
    }
    EXPECT_EQ(queue_->wanted(), 4U);
}

TEST_F(BatchQueueTest, gives_the_wanted_batch_without_waiting_only_if_it_is_whole) {
    queue_->restart(0, kNoEnd);
    EXPECT_FALSE(queue_->wanted_if_whole());
    make_one();
    EXPECT_FALSE(queue_->wanted_if_whole());
    make_one();
    ASSERT_TRUE(queue_->wanted_if_whole());
    EXPECT_EQ(queue_->wanted_if_whole()->ready, 1U);
    queue_->hold();
    EXPECT_FALSE(queue_->wanted_if_whole()) << "the next batch has no sample";
    EXPECT_EQ(queue_->wanted(), 1U);
}

TEST_F(BatchQueueTest, stops_after_hold) {
    queue_->restart(2, 3);
    EXPECT_EQ(make_batch(), "0:4 ");
    wait();
    queue_->hold();
    expect_contains(error_of([&] { make_one(); }), {"3 data.train: the pass over the data has ended"});
    expect_contains(error_of([&] { wait(); }), {"3 data.train: the pass over the data has ended"});
}

TEST_F(BatchQueueTest, gives_only_own_samples) {
    layout_.make_only([](std::int64_t count) { return SampleRange{count - 1, count}; });
    queue_->restart(0, kNoEnd);
    for (const std::string expected : {"0:1 ", "0:3 ", "0:4 "}) {
        EXPECT_EQ(make_batch(), expected);
        wait();
        queue_->hold();
    }
}

TEST_F(BatchQueueTest, knows_how_many_batches_are_ready) {
    queue_->restart(0, kNoEnd);
    std::vector<BatchQueue::Task> tasks;
    for (int i = 0; i < 5; ++i) {
        tasks.push_back(*queue_->take(0, {}));
    }
    EXPECT_EQ(queue_->ready(), 0U);
    for (const int finished : {0, 2, 3, 1}) {
        EXPECT_EQ(queue_->finish(tasks[static_cast<std::size_t>(finished)], nullptr, false), nullptr);
    }
    EXPECT_EQ(queue_->ready(), 2U);
    EXPECT_EQ(wait().ready, 2U);
    queue_->hold();
    EXPECT_EQ(queue_->ready(), 1U);
    LoaderFigures figures;
    queue_->add_to(figures);
    EXPECT_EQ(figures.workers, 1);
    EXPECT_EQ(figures.prefetch, 2);
    EXPECT_GT(figures.at_work, 0.0);
    EXPECT_EQ(queue_->finish(tasks[4], nullptr, false), nullptr);
}

TEST_F(BatchQueueTest, leaves_a_batch_to_its_last_sample_until_it_is_closed) {
    queue_->restart(0, kNoEnd);
    const auto first = queue_->take(0, {});
    const auto second = queue_->take(0, {});
    EXPECT_EQ(queue_->finish(*second, nullptr, true), nullptr);
    const Batch* const batch = queue_->finish(*first, nullptr, true);
    ASSERT_NE(batch, nullptr);
    EXPECT_EQ(batch->count, 2);
    EXPECT_EQ(queue_->ready(), 0U);
    queue_->close(*first, std::make_exception_ptr(Error(Exit::data, "mixup failed")));
    EXPECT_EQ(queue_->ready(), 1U);
    EXPECT_EQ(failure_of_wanted(), "3 mixup failed");
}

TEST_F(BatchQueueTest, closes_a_failed_batch_at_once) {
    queue_->restart(0, kNoEnd);
    const auto first = queue_->take(0, {});
    const auto second = queue_->take(0, {});
    const auto failure = [](const char* what) { return std::make_exception_ptr(Error(Exit::data, what)); };
    EXPECT_EQ(queue_->finish(*second, failure("the second"), true), nullptr);
    EXPECT_EQ(queue_->finish(*first, failure("the first"), true), nullptr);
    EXPECT_EQ(failure_of_wanted(), "3 the first");
}

}  // namespace
}  // namespace sluice::data
