// The replicas of one process on their GPUs, and what they exchange with all those of the world. Who is missed is found
// by a thread that watches: replicas themselves wait for nobody but when they meet, in their first finish().
//
// Work may be recorded and run again, from the second exchange on. Nothing is called when it runs: the watch sees it
// all the same, waits for the seconds told last (finish() with nothing started tells them anew), and the next finish()
// throws. Out-of-step replicas are told from what they start, so no more when one of them has recorded.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "nccl_exchange/seat.hpp"

namespace sluice::nccl {

class Exchange {
public:
    // Gives the id of the world, the same in all processes. Is called once, by the first replica that needs it.
    using TakeId = std::function<ncclUniqueId()>;

    Exchange(const sluice_topology& place, TakeId take_id);
    ~Exchange();
    Exchange(const Exchange&) = delete;
    Exchange& operator=(const Exchange&) = delete;

    // As in kind/strategy.h; of a replica on a thread that works on its GPU.
    void start(const sluice_collective& collective);
    void finish(std::uint32_t replica, double seconds);
    void abort(std::string_view reason) noexcept;

private:
    using Lock = std::unique_lock<std::mutex>;
    using Clock = std::chrono::steady_clock;

    // Kept longer than its name is lent.
    struct Brought {
        sluice_collective collective;
        std::string name;
        std::uint32_t number;  // from 1: of that name, in all replicas and exchanges
    };
    struct Replica {
        std::unique_ptr<Seat> seat;
        bool is_open = false;         // it has met the others
        std::deque<Brought> brought;  // to this exchange up to `started`, behind that to the one before
        std::size_t started = 0;
        std::size_t before = 0;       // collectives of the exchange before
        std::uint64_t exchanges = 0;  // that are over
        bool is_recorded = false;     // this one
        double seconds = 0.0;
        Clock::time_point since;  // where the watch saw its GPU come to the mark
    };

    template <class Work>
    void on_seat(const Work& work);
    std::uint32_t note(const sluice_collective& collective, bool is_recorded);
    [[nodiscard]] std::uint32_t number_of(const sluice_collective& collective);
    [[nodiscard]] std::string why_out_of_step(const sluice_collective& collective) const;
    void meet(std::uint32_t number, double seconds);
    void open(std::uint32_t number);
    void watch();
    void look_at(std::uint32_t number);
    [[nodiscard]] std::string missed(std::uint32_t number, std::uint32_t mark) const;
    template <class Lacks>
    [[nodiscard]] std::string names(const Lacks& lacks) const;
    void expect_whole() const;
    void end(const std::string& reason);
    [[noreturn]] void give_up(const std::string& reason);

    const sluice_topology place_;
    const TakeId take_id_;
    std::once_flag id_is_taken_;
    ncclUniqueId id_{};

    std::mutex mutex_;  // guards what follows, but not what a replica calls of its own seat
    std::condition_variable changed_;
    std::deque<Replica> replicas_;
    std::map<std::string, std::uint32_t, std::less<>> numbers_;  // of all names so far
    std::vector<std::string> texts_;                             // in_step::text_of() of each number
    bool compares_ = true;                                       // what replicas start: none of them has recorded it
    std::string abort_reason_;                                   // empty: not aborted
    bool is_ending_ = false;
    std::vector<std::thread> aborts_;  // each ends one seat
    std::thread watch_;
};

}  // namespace sluice::nccl
