// Work of several replicas, of which some fail, hang or are interrupted.
#include "run/replica/replica_threads.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <exception>
#include <latch>
#include <memory>
#include <mutex>
#include <set>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace sluice::run {
namespace {

std::exception_ptr failed_work() { return std::make_exception_ptr(std::runtime_error("failed")); }

// Threads that are started, and a gate on which work can hang. The destructor opens it.
class StartedThreads {
public:
    explicit StartedThreads(std::uint32_t count)
        : threads_(std::make_shared<ReplicaThreads>(count)), done_(std::make_shared<std::latch>(count)) {
        threads_->start([threads = threads_, done = done_](std::uint32_t local) {
            threads->serve(local);
            done->count_down();
        });
    }
    // Also waits for stuck threads, since their work uses objects of the test.
    ~StartedThreads() {
        open();
        threads_->stop();
        done_->wait();
    }
    StartedThreads(const StartedThreads&) = delete;
    StartedThreads& operator=(const StartedThreads&) = delete;

    void hang() const { is_open_.wait(false); }
    void open() {
        is_open_ = true;
        is_open_.notify_all();
    }
    ReplicaThreads* operator->() const { return threads_.get(); }

private:
    std::shared_ptr<ReplicaThreads> threads_;
    std::shared_ptr<std::latch> done_;
    std::atomic<bool> is_open_ = false;
};

TEST(ReplicaThreads, a_single_replica_works_on_the_callers_thread) {
    ReplicaThreads threads(1);
    threads.start([](std::uint32_t) { FAIL() << "a thread was started"; });
    const auto caller = std::this_thread::get_id();
    const auto outcome = threads.run(
        [&](std::uint32_t local) {
            EXPECT_EQ(local, 0U);
            EXPECT_EQ(std::this_thread::get_id(), caller);
            return failed_work();
        },
        0.0);
    EXPECT_TRUE(outcome.given_up.empty());
    EXPECT_TRUE(threads.take_failure(0) != nullptr);
    EXPECT_TRUE(threads.take_failure(0) == nullptr);
    threads.stop();
}

TEST(ReplicaThreads, several_replicas_work_on_their_own_threads_and_each_keeps_its_failure) {
    const StartedThreads threads(3);
    std::mutex mutex;
    std::set<std::thread::id> ids;
    const ReplicaThreads::Work work = [&](std::uint32_t local) {
        const std::lock_guard lock(mutex);
        ids.insert(std::this_thread::get_id());
        return local == 1 ? failed_work() : nullptr;
    };
    for (int i = 0; i < 2; ++i) {
        EXPECT_TRUE(threads->run(work, 10.0).given_up.empty());
        EXPECT_TRUE(threads->take_failure(0) == nullptr);
        EXPECT_TRUE(threads->take_failure(1) != nullptr);
        EXPECT_TRUE(threads->take_failure(2) == nullptr);
    }
    EXPECT_EQ(ids.size(), 3U);
    EXPECT_FALSE(ids.contains(std::this_thread::get_id()));
}

TEST(ReplicaThreads, gives_up_a_replica_that_hangs_and_then_works_without_it) {
    std::atomic<int> calls = 0;
    ReplicaThreads::Work work;  // destroyed after the stuck thread has returned from it
    StartedThreads threads(3);
    work = [&](std::uint32_t local) -> std::exception_ptr {
        ++calls;
        if (local == 1) {
            threads.hang();
        }
        return nullptr;
    };
    const auto outcome = threads->run(work, 1.0);
    EXPECT_EQ(outcome.given_up, std::vector<std::uint32_t>{1});
    EXPECT_EQ(outcome.interruption, "");
    EXPECT_FALSE(threads->is_stuck(0));
    EXPECT_TRUE(threads->is_stuck(1));
    EXPECT_EQ(calls.load(), 3);
    EXPECT_TRUE(threads->run(work, 1.0).given_up.empty());
    EXPECT_EQ(calls.load(), 5);
}

TEST(ReplicaThreads, without_a_timeout_waits_and_is_not_interrupted) {
    StartedThreads threads(2);
    std::jthread other([&] {
        threads->interrupt([](const auto&) { return "not asked for"; });
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        threads.open();
    });
    const auto outcome = threads->run(
        [&](std::uint32_t) -> std::exception_ptr {
            threads.hang();
            return nullptr;
        },
        0.0);
    EXPECT_TRUE(outcome.given_up.empty());
    EXPECT_EQ(outcome.interruption, "");
}

TEST(ReplicaThreads, an_interruption_ends_the_wait_and_its_text_is_returned_once) {
    StartedThreads threads(2);
    std::jthread other([&](const std::stop_token& stop) {
        while (!stop.stop_requested()) {
            threads->interrupt([&](const ReplicaThreads::Working& working) {
                EXPECT_EQ(working.timeout, 100.0);
                threads.open();
                return std::to_string(working.replicas.size()) + " replicas hang";
            });
            std::this_thread::yield();
        }
    });
    const auto outcome = threads->run(
        [&](std::uint32_t) -> std::exception_ptr {
            threads.hang();
            return nullptr;
        },
        100.0);
    other.request_stop();
    other.join();
    EXPECT_EQ(outcome.interruption, "2 replicas hang");
    EXPECT_TRUE(outcome.given_up.empty());
    EXPECT_EQ(threads->run([](std::uint32_t) { return std::exception_ptr(); }, 100.0).interruption, "");
}

}  // namespace
}  // namespace sluice::run
