#include "run/network/replica_lost.hpp"

#include <atomic>
#include <mutex>

namespace sluice::run {
namespace {

// There is one of each per process, since a process trains once and no lost replica returns. The thread that listens to
// the launcher records it. Replicas and loaders read it, and share no object with that thread.
std::once_flag first_lost_replica;
std::string lost_replica_reason;  // written before `is_lost`
std::atomic<bool> is_lost = false;

}  // namespace

void report_replica_lost(const std::string& reason) {
    std::call_once(first_lost_replica, [&] {
        lost_replica_reason = reason;
        is_lost.store(true, std::memory_order_release);
    });
}

void throw_if_replica_lost() {
    if (is_lost.load(std::memory_order_acquire)) {
        throw ReplicaLost(Exit::replica_lost, lost_replica_reason);
    }
}

}  // namespace sluice::run
