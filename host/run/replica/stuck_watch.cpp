#include "run/replica/stuck_watch.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/clock.hpp"

namespace sluice::run {
namespace {

constexpr std::chrono::milliseconds kBetweenLooks{250};

}  // namespace

StuckWatch::StuckWatch(ReplicaThreads& threads, BusySince busy_since, Report report)
    : threads_(threads),
      busy_since_(std::move(busy_since)),
      report_(std::move(report)),
      thread_([this](const std::stop_token& stop) { watch(stop); }) {}

void StuckWatch::watch(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    while (!stop.stop_requested()) {
        end_.wait_for(lock, stop, kBetweenLooks, [] { return false; });
        if (!stop.stop_requested()) {
            threads_.interrupt([this](const ReplicaThreads::Working& working) { return reason(working); });
        }
    }
}

std::string StuckWatch::reason(const ReplicaThreads::Working& working) const {
    const auto hangs = [&](std::uint32_t local) {
        return now() - std::max(working.since, busy_since_(local)) > working.timeout;
    };
    return std::ranges::any_of(working.replicas, hangs) ? report_(working.replicas) : std::string();
}

}  // namespace sluice::run
