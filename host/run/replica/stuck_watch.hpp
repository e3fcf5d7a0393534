// Interrupts the wait for replicas of this process that compute for too long, if other processes have replicas too. If
// all replicas of this process hang, no other thread here would notice, and the other processes would wait for them as
// long as for data.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "run/replica/replica_threads.hpp"

namespace sluice::run {

class StuckWatch {
public:
    // By local rank, the time since which a replica has not waited for others, as now(). [any thread]
    using BusySince = std::function<double(std::uint32_t local)>;
    // Gets the local ranks of the replicas that have not returned, and returns the message for ReplicaThreads. It runs
    // on the thread of this object.
    using Report = std::function<std::string(const std::vector<std::uint32_t>& working)>;

    // `threads` must outlive this object.
    StuckWatch(ReplicaThreads& threads, BusySince busy_since, Report report);

private:
    void watch(const std::stop_token& stop);
    // Empty: no replica has computed for longer than the timeout of its work.
    [[nodiscard]] std::string reason(const ReplicaThreads::Working& working) const;

    ReplicaThreads& threads_;
    BusySince busy_since_;
    Report report_;
    std::mutex mutex_;  // only for waiting on end_
    std::condition_variable_any end_;
    std::jthread thread_;  // last member: joined before the others are destroyed
};

}  // namespace sluice::run
