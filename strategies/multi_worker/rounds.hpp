// Collectives over the replicas of several processes. Each process reduces the ranges of its own replicas in memory.
// Then the processes exchange slices. Sums have the order that kind/strategy.h requires.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "in_step/in_step.hpp"
#include "mpi_link/link.hpp"
#include "sluice/kind/strategy.h"

namespace sluice::multi_worker {

class Rounds {
public:
    // `replicas`: those of each process, a power of two.
    explicit Rounds(std::uint32_t replicas);
    ~Rounds();
    Rounds(const Rounds&) = delete;
    Rounds& operator=(const Rounds&) = delete;

    // Call it first. `link` connects the processes and is destroyed before this object. Null: this process runs alone.
    void use(mpi::Link* link) { link_ = link; }

    // See kind/strategy.h.
    void start(const sluice_collective& collective);
    void finish(std::uint32_t replica, double seconds);
    // Ends all current and later waits.
    void fail(const in_step::AbortReason& reason);

private:
    struct Round;
    struct Replica {
        std::uint64_t started = 0;   // rounds
        std::uint64_t finished = 0;  // rounds
    };
    using Lock = std::unique_lock<std::mutex>;

    [[nodiscard]] std::uint32_t processes() const { return link_ == nullptr ? 1 : link_->count(); }
    [[nodiscard]] std::uint32_t rank() const { return link_ == nullptr ? 0 : link_->rank(); }
    // Returns the round if this replica is the last to start it, otherwise null. The caller then owns the round until
    // it is done.
    Round* join(const sluice_collective& collective);
    void begin(Round& round);
    void exchange_whole(Round& round);
    void scatter(Round& round);
    void reduce(Round& round, std::span<std::byte> range);
    void gather(Round& round);
    template <class Out, class Size>
    void transfer(Round& round, mpi::Lane lane, const Out& out, const Size& bytes, std::function<void()> done);
    void end(Round& round);
    void drop_finished();
    [[nodiscard]] std::string missing_replicas(const Round& round);
    [[noreturn]] void give_up(const in_step::AbortReason& reason, Lock& lock, const std::string& waited_for = {});

    mpi::Link* link_ = nullptr;
    std::mutex mutex_;  // guards the members below; a complete round belongs to the thread that works on it
    std::condition_variable changed_;
    std::vector<Replica> replicas_;
    std::deque<std::unique_ptr<Round>> rounds_;  // rounds that a replica still needs, oldest first
    std::vector<std::unique_ptr<Round>> spare_;  // done rounds, kept for their memory
    std::uint64_t dropped_ = 0;                  // number of rounds before the oldest
    in_step::AbortReason failure_;
};

}  // namespace sluice::multi_worker
