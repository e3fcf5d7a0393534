// CPU time of threads by class, from files as the kernel writes them and from real threads.
#include "observe/usage/thread_meter.hpp"

#include <gtest/gtest.h>
#include <pthread.h>

#include <atomic>
#include <string>
#include <thread>

#include "observe/cpu_time.hpp"
#include "unit/folder_test.hpp"

namespace sluice::observe {
namespace {

class ThreadMeterTest : public FolderTest {
protected:
    static void thread(int id, const std::string& name, std::uint64_t cpu, std::uint64_t queued) {
        const std::string folder = "self/task/" + std::to_string(id);
        write(folder + "/comm", name + "\n");
        write(folder + "/schedstat", std::to_string(cpu) + " " + std::to_string(queued) + " 1\n");
    }
    static double of(const ThreadSums& sums, ThreadClass kind) { return sums.cpu[static_cast<std::size_t>(kind)]; }

    ProcBuffer buffer_{};
};

TEST_F(ThreadMeterTest, adds_up_what_threads_used_since_it_was_made) {
    write("self/comm", "host\n");
    thread(1, "host", 5'000'000'000, 1'000'000'000);
    thread(2, "input 0", 7'000'000'000, 0);
    ThreadMeter meter("self/task");
    EXPECT_EQ(of(meter.read(10.0, buffer_), ThreadClass::compute), 0.0);
    thread(1, "host", 6'500'000'000, 1'250'000'000);
    thread(2, "input 0", 7'250'000'000, 500'000'000);
    const ThreadSums& sums = meter.read(10.0, buffer_);
    EXPECT_TRUE(sums.is_known);
    EXPECT_NEAR(of(sums, ThreadClass::compute), 1.5, 1e-9);
    EXPECT_NEAR(of(sums, ThreadClass::input), 0.25, 1e-9);
    EXPECT_NEAR(sums.queued_in_all(), 0.75, 1e-9);
}

TEST_F(ThreadMeterTest, no_thread_waits_longer_than_the_time_that_has_passed) {
    write("self/comm", "host\n");
    thread(1, "host", 0, 0);
    thread(2, "host", 0, 0);
    ThreadMeter meter("self/task");
    thread(1, "host", 0, 19'000'000'000);
    thread(2, "host", 0, 250'000'000);
    EXPECT_NEAR(meter.read(1.0, buffer_).queued_in_all(), 1.25, 1e-9);
}

TEST_F(ThreadMeterTest, finds_new_threads_and_forgets_ended_ones) {
    write("self/comm", "host\n");
    thread(1, "host", 0, 0);
    thread(2, "input 0", 3'000'000'000, 0);
    ThreadMeter meter("self/task");
    std::filesystem::remove_all("self/task/2");
    thread(3, "input 1", 2'000'000'000, 0);
    thread(4, "observers", 1'000'000'000, 0);
    const ThreadSums& sums = meter.read(10.0, buffer_);
    EXPECT_NEAR(of(sums, ThreadClass::input), 2.0, 1e-9);  // all of it was used since the meter was made
    EXPECT_NEAR(of(sums, ThreadClass::observers), 1.0, 1e-9);
}

TEST_F(ThreadMeterTest, notices_a_name_that_comes_later) {
    write("self/comm", "host\n");
    thread(1, "host", 0, 0);
    thread(2, "host", 0, 0);
    ThreadMeter meter("self/task");
    thread(2, "exchange", 0, 0);
    for (int i = 0; i < 12; ++i) {
        meter.read(10.0, buffer_);
    }
    thread(2, "exchange", 4'000'000'000, 0);
    const ThreadSums& sums = meter.read(10.0, buffer_);
    EXPECT_NEAR(of(sums, ThreadClass::exchange), 4.0, 1e-9);
    EXPECT_EQ(of(sums, ThreadClass::compute), 0.0);
}

TEST_F(ThreadMeterTest, without_files_nothing_is_known) {
    ThreadMeter meter("none");
    EXPECT_FALSE(meter.read(10.0, buffer_).is_known);
    write("self/comm", "host\n");
    write("self/task/1/comm", "host\n");
    write("self/task/1/schedstat", "");
    ThreadMeter empty("self/task");
    EXPECT_FALSE(empty.read(10.0, buffer_).is_known);
}

TEST_F(ThreadMeterTest, measures_real_threads) {
    ThreadMeter meter;
    std::atomic<bool> ends{false};
    std::atomic<double> used{0.0};
    std::thread busy([&] {
        ::pthread_setname_np(::pthread_self(), "input 0");
        while (!ends) {
            used = thread_cpu_seconds();
        }
    });
    while (used < 0.05) {
        std::this_thread::yield();
    }
    const double measured = of(meter.read(10.0, buffer_), ThreadClass::input);
    const double later = used;
    ends = true;
    busy.join();
    EXPECT_GT(measured, 0.03);  // the kernel updates a running thread every 4 to 10 ms
    EXPECT_LE(measured, later + 0.005);
}

}  // namespace
}  // namespace sluice::observe
