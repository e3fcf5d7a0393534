// Collectives between the replicas of one process: each brings its ranges and does its share of the work on its own
// threads.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "in_step/in_step.hpp"
#include "sluice/kind/strategy.h"

namespace sluice::mirrored {

class ThreadCollectives {
public:
    explicit ThreadCollectives(std::uint32_t replicas);

    // See kind/strategy.h. Also does this replica's share of collectives that all replicas have started.
    void start(const sluice_collective& collective);
    // Does this replica's share of the rest, and waits for the shares of the others.
    void finish(std::uint32_t replica, double seconds);
    void abort(std::string_view reason) noexcept;

private:
    // One collective; `arrived` counts the replicas that have started it.
    struct Round {
        std::vector<sluice_collective> members;  // by replica
        std::uint32_t arrived = 0;
    };
    struct Progress {
        std::uint64_t started = 0;  // rounds
        std::uint64_t shared = 0;   // rounds of which this replica has done its share
    };

    using Lock = std::unique_lock<std::mutex>;

    // The caller of these functions holds the mutex.
    Round& round(std::uint64_t number) { return *rounds_[number % rounds_.size()]; }
    void make_room(std::uint64_t number);
    void check(const Round& round, const sluice_collective& collective);
    [[nodiscard]] bool is_whole(std::uint64_t number) { return round(number).arrived == replicas_.size(); }
    void share_whole_ones(std::uint32_t replica, Lock& lock);
    [[nodiscard]] std::uint64_t least_shared() const;
    template <class Lacks>
    [[nodiscard]] std::string names(const Lacks& lacks) const;
    template <class IsDone, class Lacks>
    void wait(Lock& lock, double seconds, const Round& round, const IsDone& is_done, const Lacks& lacks);
    [[noreturn]] void give_up(const in_step::AbortReason& reason);

    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<Progress> replicas_;
    std::vector<std::unique_ptr<Round>> rounds_;  // a ring of the rounds that a replica still needs, by number
    in_step::AbortReason abort_reason_;
};

}  // namespace sluice::mirrored
