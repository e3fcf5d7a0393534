// The replicas of one process on their GPUs, and what they exchange with all those of the world. Who is missed is found
// by a thread that watches: replicas themselves wait for nobody but when they meet, in their first finish().
//
// Work may be recorded and run again, from the second exchange on. Nothing is called when it runs: the watch sees it
// all the same, waits for the seconds told last (finish() with nothing started tells them anew), and the next finish()
// throws. Out-of-step replicas of this process are told from what they start, so no more when one of them has recorded.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "nccl_exchange/order.hpp"
#include "nccl_exchange/seat.hpp"

namespace sluice::nccl {

class Exchange {
public:
    // Gives the id of the world, the same in all processes. Is called once, by the first replica that needs it.
    using TakeId = std::function<ncclUniqueId()>;

    // is_narrow: ranges that may travel as bfloat16 do so.
    Exchange(const sluice_topology& place, bool is_narrow, TakeId take_id);
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

    struct Brought {
        sluice_collective collective;
        std::uint32_t number;  // of its name
    };
    struct Replica {
        std::unique_ptr<Seat> seat;
        bool is_open = false;          // it has met the others
        std::vector<Brought> brought;  // to this exchange up to `started`
        std::size_t started = 0;
        bool is_recorded = false;  // this exchange
        double seconds = 0.0;
        Clock::time_point since;  // where the watch saw its GPU come to the mark
    };

    template <class Work>
    void on_seat(const Work& work);
    std::uint32_t note(const sluice_collective& collective, bool is_recorded);
    void meet(std::uint32_t number, double seconds);
    void open(std::uint32_t number);
    void watch();
    void look_at(std::uint32_t number);
    [[nodiscard]] std::string missed(std::uint32_t number, std::uint32_t mark) const;
    template <class Lacks>
    [[nodiscard]] std::string names(const Lacks& lacks) const;
    void expect_whole() const;
    void end(const std::string& reason);
    void close();
    [[noreturn]] void give_up(const std::string& reason);

    const sluice_topology place_;
    const bool is_narrow_;
    const TakeId take_id_;
    std::once_flag id_is_taken_;
    ncclUniqueId id_{};

    std::mutex mutex_;  // guards what follows, but not what a replica calls of its own seat
    std::condition_variable changed_;
    std::deque<Replica> replicas_;
    Order order_;
    bool compares_ = true;      // what replicas start: none of them has recorded it
    std::string abort_reason_;  // empty: not aborted
    bool is_ending_ = false;
    std::vector<std::thread> aborts_;  // each ends one seat
    std::thread watch_;
};

}  // namespace sluice::nccl
