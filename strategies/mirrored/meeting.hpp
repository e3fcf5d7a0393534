// Where the replicas of one process meet: each brings its ranges, and all of them share the work, on their own threads.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "sluice/kind/strategy.h"

namespace sluice::mirrored {

class Meeting {
public:
    explicit Meeting(std::uint32_t replicas);

    // As in kind/strategy.h. Does this replica's share of those before for which all have come.
    void start(const sluice_collective& collective);
    // Does its share of the rest, and waits for the shares of the others.
    void finish(std::uint32_t replica, double seconds);
    void abort(std::string_view reason) noexcept;

private:
    // One collective; who has come is counted.
    struct Round {
        std::vector<sluice_collective> members;  // by replica
        std::uint32_t arrived = 0;
    };
    struct Progress {
        std::uint64_t started = 0;  // rounds
        std::uint64_t shared = 0;   // of them, those of which its share is done
    };

    using Lock = std::unique_lock<std::mutex>;

    // All under the mutex.
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
    [[noreturn]] void give_up(const std::string& reason);

    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<Progress> replicas_;
    std::vector<std::unique_ptr<Round>> rounds_;  // those that somebody still needs, by their number, turn by turn
    std::string abort_reason_;                    // empty: not aborted
};

}  // namespace sluice::mirrored
