// A single replica that computes for longer than the timeout of its work, or waits for others.
#include "run/replica/stuck_watch.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <exception>
#include <limits>
#include <string>
#include <vector>

namespace sluice::run {
namespace {

TEST(StuckWatch, interrupts_a_replica_that_computes_for_too_long) {
    ReplicaThreads threads(1);
    std::atomic<int> reports = 0;
    const StuckWatch watch(
        threads, [](std::uint32_t) { return 0.0; },
        [&](const std::vector<std::uint32_t>& working) {
            EXPECT_EQ(working, std::vector<std::uint32_t>{0});
            ++reports;
            reports.notify_all();
            return std::string("replica 0 is stuck");
        });
    const auto outcome = threads.run(
        [&](std::uint32_t) -> std::exception_ptr {
            reports.wait(0);
            return nullptr;
        },
        0.01);
    EXPECT_EQ(outcome.interruption, "replica 0 is stuck");
    EXPECT_EQ(reports.load(), 1);
}

TEST(StuckWatch, lets_a_replica_wait_for_others) {
    ReplicaThreads threads(1);
    std::atomic<int> looks = 0;
    const StuckWatch watch(
        threads,
        [&](std::uint32_t) {
            ++looks;
            looks.notify_all();
            return std::numeric_limits<double>::infinity();
        },
        [](const std::vector<std::uint32_t>&) { return std::string("not asked for"); });
    const auto outcome = threads.run(
        [&](std::uint32_t) -> std::exception_ptr {
            looks.wait(0);
            looks.wait(1);
            return nullptr;
        },
        0.01);
    EXPECT_EQ(outcome.interruption, "");
}

}  // namespace
}  // namespace sluice::run
