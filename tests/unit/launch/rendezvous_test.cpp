// The processes that may join a launcher, and the message about those that have not.
#include "launch/rendezvous.hpp"
#include "base/machine.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <future>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "launch/channel.hpp"
#include "launch/messages.hpp"
#include "launch/processes.hpp"

namespace sluice::launch {
namespace {

// Returns the rank and the channel of a process that tries to join, without a rank if it may not.
std::pair<std::vector<std::size_t>, std::optional<Channel>> join(Rendezvous& rendezvous, Processes& processes,
                                                                 std::size_t rank) {
    Address address = rendezvous.address();
    address.hosts = {"127.0.0.1"};
    auto channel = std::async(std::launch::async, [&] {
        return Channel::connect(address, to_line(Hello{address.question(), rank, ::getpid(), "elsewhere"}));
    });
    std::vector<std::size_t> ranks;
    while (channel.wait_for(std::chrono::milliseconds(1)) != std::future_status::ready) {
        const auto joined = rendezvous.admit(processes);
        ranks.insert(ranks.end(), joined.begin(), joined.end());
    }
    return {ranks, channel.get()};
}

TEST(LaunchRendezvous, admits_each_process_of_the_job_once) {
    Rendezvous rendezvous(std::nullopt);
    Processes processes(3);
    EXPECT_FALSE(rendezvous.has_any_joined());
    EXPECT_FALSE(rendezvous.is_over(Clock::now() + std::chrono::seconds(59)));
    EXPECT_EQ(rendezvous.describe_missing({0, 1, 2}),
              "process 0, 1, 2 have not joined within 60 s: they were not started, hang, or exited before they could "
              "report why" +
                  limits_text());
    const auto first = join(rendezvous, processes, 1);
    EXPECT_EQ(first.first, std::vector<std::size_t>{1});
    EXPECT_TRUE(first.second);
    EXPECT_TRUE(rendezvous.has_any_joined());
    EXPECT_EQ(processes[1].host, "elsewhere");
    EXPECT_EQ(processes.first_living(), 1U);
    for (const std::size_t rank : {1U, 3U}) {
        const auto refused = join(rendezvous, processes, rank);
        EXPECT_TRUE(refused.first.empty());
        EXPECT_FALSE(refused.second);
    }
    processes[0].is_lost = true;
    EXPECT_TRUE(join(rendezvous, processes, 0).first.empty());
    EXPECT_EQ(join(rendezvous, processes, 2).first, std::vector<std::size_t>{2});
    EXPECT_FALSE(rendezvous.is_over(Clock::now() + std::chrono::seconds(5)));
    EXPECT_TRUE(rendezvous.is_over(Clock::now() + std::chrono::seconds(7)));
    EXPECT_EQ(rendezvous.describe_missing({0}),
              "process 0 has not joined within 6 s of the others: it was not started, hangs, or exited before it "
              "could report why" +
                  limits_text());
}

TEST(LaunchProcesses, are_silent_without_a_heartbeat) {
    Rendezvous rendezvous(0.5);
    Processes processes(2);
    EXPECT_TRUE(rendezvous.is_over(Clock::now() + std::chrono::seconds(1)));
    const auto joined = join(rendezvous, processes, 0);
    EXPECT_TRUE(processes.silent_since(Clock::now() - std::chrono::seconds(5)).empty());
    EXPECT_EQ(processes.silent_since(Clock::now() + std::chrono::seconds(5)), std::vector<std::size_t>{0});
    processes.excuse_silence(Clock::now() + std::chrono::seconds(10));
    EXPECT_TRUE(processes.silent_since(Clock::now() + std::chrono::seconds(5)).empty());
    EXPECT_EQ(processes.silent_since(Clock::now() + std::chrono::seconds(15)), std::vector<std::size_t>{0});
    processes[0].code = 0;
    EXPECT_TRUE(processes.silent_since(Clock::now() + std::chrono::seconds(15)).empty());
    EXPECT_FALSE(processes.have_all_left());
    processes[1].is_lost = true;
    EXPECT_TRUE(processes.have_all_left());
    EXPECT_FALSE(processes.are_all_done());
}

}  // namespace
}  // namespace sluice::launch
